import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'

import { BrandTitle } from '#web/features/auth-screens/brand-title.tsx'
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
    <div className="mx-auto flex min-h-dvh w-full max-w-sm flex-col gap-9 px-4 py-8 sm:py-14">
      <ScreenTitle title={t('invitation.title')} />
      <div className="flex justify-center">
        <BrandTitle>{t('productName')}</BrandTitle>
      </div>
      <main className="flex flex-col gap-5">
        <h1 className="text-2xl">{t('invitation.title')}</h1>
        <Invitation />
      </main>
    </div>
  )
}
