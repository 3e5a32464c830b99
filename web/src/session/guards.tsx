import { useEffect, useState } from 'react'
import { matchPath, Navigate, Outlet, useLocation, useSearchParams } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { ROUTES, to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { BehindLastScreen } from '#web/ui/last-screen.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { features } from '#web/config.ts'

import { forgetHostedTarget, hostedTarget } from './hosted-sign-in.ts'
import { redirectTarget } from './redirect-target.ts'
import { useSession } from './use-session.ts'

/** Shown while the session or a screen is loading. */
export function Waiting() {
  const { t } = useTranslation()
  const session = useSession()
  if (session.state === 'loading' && session.isUnreachable) return <Unreachable onRetry={session.refresh} />
  return (
    <div className="grid min-h-dvh place-items-center">
      <Spinner label={t('loading')} />
      <BehindLastScreen />
    </div>
  )
}

/** Shown if the identity service does not answer. It is asked again every few seconds, or at once by the button. */
function Unreachable({ onRetry }: { onRetry: () => Promise<void> }) {
  const { t } = useTranslation()
  const [isTrying, setTrying] = useState(false)
  const retry = async () => {
    setTrying(true)
    await onRetry().catch(() => {})
    setTrying(false)
  }
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 p-4">
      <Banner tone="error">
        <p>{t('errors.identity')}</p>
        <p>{t('errors.network')}</p>
      </Banner>
      <Spinner label={t('tryingAgain')} />
      <Button tone="primary" busy={isTrying} onClick={retry}>
        {t('actions.tryNow')}
      </Button>
    </main>
  )
}

/**
 * Layout route for signed-in users. Others go to the login screen, which brings them back here unless they signed out
 * by choice. Guests may see a watchlist by its link if the installation allows it. Everything below is mounted again
 * for another user.
 */
export function SignedIn() {
  const session = useSession()
  const noticeOf = useEndNotice()
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
      return <Navigate to={to.login(here)} replace state={noticeOf(session.because)} />
    }
  }
}

/** The navigation state with which the login screen says why a session has ended. */
export function useEndNotice() {
  const { t } = useTranslation('auth')
  return (because: 'none' | 'left' | 'expired' | 'again') => {
    if (because === 'expired') return { message: t('session.expired'), messageType: 'error' } as const
    if (because === 'again') return { message: t('session.again'), messageType: 'info', again: 'yes' } as const
    return null
  }
}

/** Whether this path is readable by its unguessable id. */
function isByLink(pathname: string): boolean {
  const isFound = (pattern: string) => matchPath(pattern, pathname) !== null
  return isFound(ROUTES.library) || (isFound(ROUTES.watchlist) && !isFound(ROUTES.createWatchlist))
}

/** Layout route of the account screens. A signed-in user is redirected. */
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
