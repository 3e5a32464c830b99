import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import type { SignInStep } from '#web/session/identity.ts'
import { loadIdentity } from '#web/session/identity-loader.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

type PasskeyButtonProps = {
  isOff: boolean
  /** Told how to sign an address in; that gives nothing where the passkey was called off. */
  onUse: (signInWithPasskey: (email: string) => Promise<SignInStep | undefined>) => Promise<void>
}

/** Signs in with a passkey in place of the password. One that was called off leaves the form as it was. */
export function PasskeyButton({ isOff, onUse }: PasskeyButtonProps) {
  const { t } = useTranslation('auth')
  const [isBusy, setBusy] = useState(false)
  const [isCalledOff, setCalledOff] = useState(false)

  async function use() {
    setBusy(true)
    setCalledOff(false)
    await onUse(async (email) => {
      const { signInWithPasskey } = await loadIdentity()
      return signInWithPasskey(email).catch((error: unknown) => {
        if (!isOfBrowser(error)) throw error
        setCalledOff(true)
        return undefined
      })
    })
    setBusy(false)
  }

  return (
    <>
      {isCalledOff && <Banner tone="info">{t('login.passkeyCanceled')}</Banner>}
      <Button tone="quiet" size="large" icon={<Fingerprint aria-hidden />} busy={isBusy} disabled={isOff} onClick={use}>
        {t('login.passkey')}
      </Button>
    </>
  )
}

/** Amplify's names for what the browser or the person at it did not want. */
function isOfBrowser(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('Passkey')
}
