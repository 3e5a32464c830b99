import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'

import { SignLayout } from '#web/features/auth-screens/sign-layout.tsx'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { buttonStyle } from '#web/ui/button.tsx'

import { ScreenTitle } from './screen.tsx'

/** What the visitor sees depends on who they are (spec section 2); the link survives signing in, up and verifying. */
function Invitation() {
  const { t } = useTranslation()
  const session = useSession()
  const { pathname, search } = useLocation()

  switch (session.state) {
    case 'loading':
      return <Waiting />
    case 'signed-out':
      return (
        <>
          <p className="text-lg">{t('invitation.loginNeeded')}</p>
          <Link to={to.login(`${pathname}${search}`)} className={buttonStyle('primary', 'large')}>
            {t('invitation.login')}
          </Link>
        </>
      )
    case 'signed-in':
      // No invitation can have been made as long as the product has no call to make one.
      return (
        <>
          <Banner tone="error">{t('invitation.invalid')}</Banner>
          <Link to={to.watchlists()} className={buttonStyle('quiet', 'large')}>
            {t('invitation.back')}
          </Link>
        </>
      )
  }
}

/** /watchlists/invitation/accept */
export function Component() {
  const { t } = useTranslation()
  return (
    <SignLayout>
      <ScreenTitle title={t('invitation.title')} />
      <h1 className="text-2xl">{t('invitation.title')}</h1>
      <Invitation />
    </SignLayout>
  )
}
