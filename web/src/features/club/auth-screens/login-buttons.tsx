import { Fingerprint } from 'lucide-react'
import { useState } from 'react'

import { type PasskeyFailure, passkeyFailure } from '#web/account/failures.ts'
import type { SignInStep } from '#web/account/identity.ts'
import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { externalStart } from '#web/paths.ts'
import { useHostedFailure, rememberHostedTarget } from '#web/session/hosted-sign-in.ts'
import { redirectTarget } from '#web/session/redirect-target.ts'
import { loadIdentity } from '#web/session/session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'

import { useRestored } from './use-restored.ts'

type PasskeyButtonProps = {
  isOff: boolean
  /** Called with a function that signs an address in. It gives undefined if the browser gave no passkey. */
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

/** Leads to the hosted pages of the pool, if it has some. */
export function HostedButton({ redirect }: { redirect: string | undefined }) {
  const { t } = useTranslation('auth')
  const cameToNothing = useHostedFailure()
  const [failed, setFailed] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  useRestored(() => setLeaving(false))
  if (!features().hostedPages) return null

  async function leave() {
    setLeaving(true)
    setFailed(false)
    try {
      const { goToHostedPages } = await loadIdentity()
      rememberHostedTarget(redirectTarget(redirect))
      await goToHostedPages()
    } catch {
      setLeaving(false)
      setFailed(true)
    }
  }

  return (
    <>
      {(failed || cameToNothing) && !isLeaving && <Banner tone="error">{t('hosted.failed')}</Banner>}
      <Button tone="quiet" size="large" busy={isLeaving} onClick={leave}>
        {t('hosted.signIn')}
      </Button>
    </>
  )
}

/** Leads to the external provider, if there is one. With `again`, the provider asks a user that it knows, too. */
export function ExternalButton({ redirect, again }: { redirect: string | undefined; again: boolean }) {
  const { t } = useTranslation('auth')
  const { externalProvider: provider } = features()
  if (provider === null) return null
  return (
    <a href={externalStart(redirectTarget(redirect), { again })} className={buttonStyle('quiet', 'large')}>
      {t('external.signIn', { provider })}
    </a>
  )
}
