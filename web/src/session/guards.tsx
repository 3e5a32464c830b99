import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { matchPath, Navigate, Outlet, useLocation, useSearchParams } from 'react-router'

import { ROUTES, to } from '#web/paths.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { features } from './features.ts'
import { forgetHostedTarget, hostedTarget } from './hosted-target.ts'
import { redirectTarget } from './redirect-target.ts'
import { useSession } from './use-session.ts'

/** Shown while it is not known yet who is signed in, or while a screen is fetched. */
export function Waiting() {
  const { t } = useTranslation()
  return (
    <div className="grid min-h-dvh place-items-center">
      <Spinner label={t('loading')} />
    </div>
  )
}

/**
 * Layout route of what needs a signed-in user; others go to the login screen, which brings them back here. Who left by
 * choice starts anew. Where guests are allowed they see a watchlist by its link. Another user means other data, so everything below is mounted afresh.
 */
export function SignedIn() {
  const session = useSession()
  const { t } = useTranslation('auth')
  const { pathname, search, hash } = useLocation()
  const here = `${pathname}${search}${hash}`
  const isSignedIn = session.state === 'signed-in'
  useEffect(() => {
    if (isSignedIn) forgetHostedTarget()
  }, [isSignedIn])

  switch (session.state) {
    case 'loading':
      return <Waiting />
    case 'signed-in':
      return <Outlet key={session.user.userId} />
    case 'signed-out': {
      if (session.because === 'none' && features().guests && isByLink(pathname)) return <Outlet key="guest" />
      if (session.because === 'left' || here === to.home()) return <Navigate to={to.login()} replace />
      const notices = {
        none: null,
        expired: { message: t('session.expired'), messageType: 'error' },
        again: { message: t('session.again'), messageType: 'info' },
      } as const
      return <Navigate to={to.login(here)} replace state={notices[session.because]} />
    }
  }
}

/** Whether what is at this path is opened by its unguessable id. */
function isByLink(pathname: string): boolean {
  return matchPath(ROUTES.watchlist, pathname) !== null && matchPath(ROUTES.createWatchlist, pathname) === null
}

/** Layout route of the authentication screens; a signed-in user is sent to where the redirect says, else home. */
export function SignedOut() {
  const session = useSession()
  const [search] = useSearchParams()

  switch (session.state) {
    case 'loading':
      return <Waiting />
    case 'signed-out':
      return <Outlet />
    case 'signed-in':
      return <Navigate to={redirectTarget(search.get('redirect') ?? hostedTarget())} replace />
  }
}
