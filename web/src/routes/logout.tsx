import '#web/i18n/external-texts.ts'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { lineLinkStyle } from '#web/ui/classes.ts'

import { useLeaving } from './use-sign-out.tsx'

/**
 * /auth/logout: after a sign-out of another tool. The user is asked, because any page may link here, and then
 * redirected to the sealed `next`.
 */
export function Component() {
  const { t } = useTranslation('auth')
  const { state } = useSession()
  const [query] = useSearchParams()
  const next = query.get('next')
  const { step, ask, question } = useLeaving(() => continueTo(next ?? ''))
  const hasNothingToAsk = state === 'signed-out' && next !== null && step !== 'leaving'

  useEffect(() => {
    if (hasNothingToAsk) continueTo(next)
  }, [hasNothingToAsk, next])

  if (next === null) {
    return (
      <>
        <AuthHeading title={t('logout.title')} />
        <Banner tone="error">{t('logout.redirect')}</Banner>
        <Link to={to.home()} className={lineLinkStyle}>
          {t('authorize.home')}
        </Link>
      </>
    )
  }
  if (state !== 'signed-in') return <Waiting />
  return (
    <>
      <AuthHeading title={t('logout.title')}>{t('logout.question')}</AuthHeading>
      <Button tone="primary" size="large" busy={step !== 'here'} onClick={ask}>
        {t('logout.confirm')}
      </Button>
      <Button tone="quiet" size="large" disabled={step !== 'here'} onClick={() => continueTo(next)}>
        {t('logout.stay')}
      </Button>
      {question}
    </>
  )
}

/** The server opens the seal and redirects. */
function continueTo(next: string) {
  globalThis.location.replace(`/oauth2/logged-out?next=${encodeURIComponent(next)}`)
}
