import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { features } from '#web/session/features.ts'
import { useHostedFailure } from '#web/session/hosted-failure.ts'
import { rememberHostedTarget } from '#web/session/hosted-target.ts'
import { loadIdentity } from '#web/session/identity-loader.ts'
import { redirectTarget } from '#web/session/redirect-target.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** Leads to the pool's own pages, which may know more ways to sign in, where the installation says that it has some. */
export function HostedButton({ redirect }: { redirect: string | undefined }) {
  const { t } = useTranslation('auth')
  const cameToNothing = useHostedFailure()
  const [failed, setFailed] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
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
