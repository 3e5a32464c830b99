import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { SignInStep } from '#web/session/identity.ts'
import { loadIdentity } from '#web/session/identity-loader.ts'
import { type PasskeyFailure, passkeyFailure } from '#web/session/passkey-failure.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

type PasskeyButtonProps = {
  isOff: boolean
  /** Called with what signs an address in; it gives undefined where the browser gave no passkey. */
  onUse: (signInWithPasskey: (email: string) => Promise<SignInStep | undefined>) => Promise<void>
}

/** Signs in with a passkey in place of the password. Without a passkey the form stays as it was. */
export function PasskeyButton({ isOff, onUse }: PasskeyButtonProps) {
  const { t } = useTranslation('auth')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<PasskeyFailure>()

  async function use() {
    setBusy(true)
    setFailure(undefined)
    await onUse(async (email) => {
      const { signInWithPasskey } = await loadIdentity()
      return signInWithPasskey(email).catch((error: unknown) => {
        const ofBrowser = passkeyFailure(error)
        if (ofBrowser === undefined) throw error
        setFailure(ofBrowser)
        return undefined
      })
    })
    setBusy(false)
  }

  return (
    <>
      {failure && <Banner tone={failure.tone}>{t(failure.text)}</Banner>}
      <Button tone="quiet" size="large" icon={<Fingerprint aria-hidden />} busy={isBusy} disabled={isOff} onClick={use}>
        {t('login.passkey')}
      </Button>
    </>
  )
}
