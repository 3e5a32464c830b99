import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { matchRoutes, Navigate, Outlet, type RouteObject } from 'react-router'

import { ROUTES, to } from '#web/paths.ts'
import { SignedIn, SignedOut, Waiting } from '#web/session/guards.tsx'

import { FailureBoundary } from './failure-screens.tsx'

const loaders = new Map<ReactNode, () => Promise<unknown>>()

/** A screen that loads when it is first shown, or earlier by `loadScreens`. Until then, the previous screen stays. */
function screen(load: () => Promise<{ Component: ComponentType }>): ReactElement {
  let loaded: ComponentType | undefined
  const loadScreen = async () => {
    loaded = (await load()).Component
    return { default: loaded }
  }
  const Lazy = lazy(loadScreen)
  function Screen() {
    const [Part] = useState<ComponentType>(() => loaded ?? Lazy)
    return <Part />
  }
  const element = <Screen />
  loaders.set(element, loadScreen)
  return element
}

/** The screens of a file that has several. */
function screensOf<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
): (name: Name) => ReactElement {
  return (name) => {
    const loadNamed = async () => ({ Component: (await load())[name] })
    return screen(loadNamed)
  }
}

const layout = screensOf<'SignedInLayout' | 'WatchlistLayout'>(async () => import('#web/routes/layouts.ts'))
const libraryScreen = screensOf(async () => import('#web/routes/library-screens.ts'))
const accountScreen = screensOf(async () => import('#web/routes/account-screens.ts'))
const verifyScreen = screensOf(async () => import('#web/routes/verify-screens.ts'))
const watchlistsScreen = screensOf(async () => import('#web/routes/watchlists-screens.ts'))
const accountPart = screensOf(async () => import('#web/routes/account-page.ts'))

/**
 * The routes of the app with their guards. A route module exports its screen as `Component`. See docs/product/routes.md.
 */
export const routes: RouteObject[] = [
  {
    element: (
      <FailureBoundary>
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
      </FailureBoundary>
    ),
    children: [
      {
        element: <SignedOut />,
        children: [
          {
            element: accountScreen('AuthLayout'),
            children: [
              { path: ROUTES.login, element: accountScreen('Login') },
              { path: ROUTES.signup, element: accountScreen('Signup') },
              { path: ROUTES.verify, element: verifyScreen('Verify') },
              { path: ROUTES.forgotPassword, element: accountScreen('ForgotPassword') },
              { path: ROUTES.resetPassword, element: accountScreen('ResetPassword') },
            ],
          },
        ],
      },
      {
        element: accountScreen('AuthLayout'),
        children: [
          { path: ROUTES.confirm, element: verifyScreen('Confirm') },
          { path: ROUTES.authorize, element: screen(async () => import('#web/routes/authorize.tsx')) },
          { path: ROUTES.external, element: screen(async () => import('#web/routes/external.tsx')) },
          { path: ROUTES.logout, element: screen(async () => import('#web/routes/logout.tsx')) },
        ],
      },
      { path: ROUTES.acceptInvitation, element: screen(async () => import('#web/routes/accept-invitation.tsx')) },
      { path: ROUTES.tv, element: screen(async () => import('#web/routes/tv.tsx')) },
      { path: ROUTES.setup, element: screen(async () => import('#web/routes/setup.tsx')) },
      { path: ROUTES.join, element: screen(async () => import('#web/routes/join.tsx')) },
      { path: ROUTES.joinNight, element: screen(async () => import('#web/routes/join-night.tsx')) },
      {
        element: <SignedIn />,
        children: [
          { path: ROUTES.nightScreen, element: screen(async () => import('#web/routes/night-screen.tsx')) },
          {
            element: layout('SignedInLayout'),
            children: [
              { path: ROUTES.home, element: screen(async () => import('#web/routes/home.tsx')) },
              { path: ROUTES.notifications, element: screen(async () => import('#web/routes/notifications.tsx')) },
              { path: ROUTES.share, element: screen(async () => import('#web/routes/share.tsx')) },
              {
                element: accountPart('AccountLayout'),
                children: [
                  { path: ROUTES.profileEdit, element: accountPart('Profile') },
                  { path: ROUTES.changePassword, element: accountPart('ChangePassword') },
                  { path: ROUTES.account, element: accountPart('AccountTab') },
                ],
              },
              // The address of earlier versions, in mails.
              { path: '/notifications/settings', element: <Navigate to={to.account('notifications')} replace /> },
              { path: ROUTES.watchlists, element: watchlistsScreen('Watchlists') },
              { path: ROUTES.createWatchlist, element: watchlistsScreen('CreateWatchlist') },
              {
                element: layout('WatchlistLayout'),
                children: [
                  { path: ROUTES.watchlist, element: screen(async () => import('#web/routes/watchlist.tsx')) },
                  { path: ROUTES.night, element: screen(async () => import('#web/routes/night.tsx')) },
                  { path: ROUTES.library, element: libraryScreen('Library') },
                  { path: ROUTES.suggestions, element: libraryScreen('Suggestions') },
                  { path: ROUTES.statistics, element: screen(async () => import('#web/routes/statistics.tsx')) },
                  { path: ROUTES.draws, element: screen(async () => import('#web/routes/draws.tsx')) },
                  { path: ROUTES.draw, element: screen(async () => import('#web/routes/draws.tsx')) },
                  { path: ROUTES.club, element: screen(async () => import('#web/routes/club.tsx')) },
                  {
                    path: ROUTES.watchlistSettings,
                    element: screen(async () => import('#web/routes/watchlist-settings.tsx')),
                  },
                  { path: ROUTES.importMovies, element: screen(async () => import('#web/routes/import-movies.tsx')) },
                ],
              },
              { path: ROUTES.ourYear, element: screen(async () => import('#web/routes/our-year.tsx')) },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to={to.home()} replace /> },
    ],
  },
]

/** Loads the code of the screens at a path. */
export async function loadScreens(path: string): Promise<void> {
  await Promise.all((matchRoutes(routes, path) ?? []).map(async ({ route }) => loaders.get(route.element)?.()))
}
