import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { matchRoutes, Navigate, Outlet, type RouteObject } from 'react-router'

import { FailureBoundary } from './failure-screens.tsx'
import { ROUTES, to } from './paths.ts'
import { SignedIn, SignedOut, Waiting } from './session/guards.tsx'

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

const layout = screensOf(async () => import('./routes/layouts.ts'))
const accountScreen = screensOf(async () => import('./routes/account-screens.ts'))
const accountPart = screensOf(async () => import('./routes/account-page.ts'))

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
              { path: ROUTES.verify, element: accountScreen('Verify') },
              { path: ROUTES.forgotPassword, element: accountScreen('ForgotPassword') },
              { path: ROUTES.resetPassword, element: accountScreen('ResetPassword') },
            ],
          },
        ],
      },
      {
        element: accountScreen('AuthLayout'),
        children: [
          { path: ROUTES.confirm, element: accountScreen('Confirm') },
          { path: ROUTES.authorize, element: screen(async () => import('./routes/authorize.tsx')) },
          { path: ROUTES.external, element: screen(async () => import('./routes/external.tsx')) },
          { path: ROUTES.logout, element: screen(async () => import('./routes/logout.tsx')) },
        ],
      },
      { path: ROUTES.acceptInvitation, element: screen(async () => import('./routes/accept-invitation.tsx')) },
      { path: ROUTES.tv, element: screen(async () => import('./routes/tv.tsx')) },
      { path: ROUTES.setup, element: screen(async () => import('./routes/setup.tsx')) },
      { path: ROUTES.join, element: screen(async () => import('./routes/join.tsx')) },
      { path: ROUTES.joinNight, element: screen(async () => import('./routes/join-night.tsx')) },
      {
        element: <SignedIn />,
        children: [
          { path: ROUTES.nightScreen, element: screen(async () => import('./routes/night-screen.tsx')) },
          {
            element: layout('SignedInLayout'),
            children: [
              { path: ROUTES.home, element: screen(async () => import('./routes/home.tsx')) },
              { path: ROUTES.notifications, element: screen(async () => import('./routes/notifications.tsx')) },
              { path: ROUTES.share, element: screen(async () => import('./routes/share.tsx')) },
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
              { path: ROUTES.watchlists, element: screen(async () => import('./routes/watchlists.tsx')) },
              {
                path: ROUTES.createWatchlist,
                element: screen(async () => import('./routes/create-watchlist.tsx')),
              },
              {
                element: layout('WatchlistLayout'),
                children: [
                  { path: ROUTES.watchlist, element: screen(async () => import('./routes/watchlist.tsx')) },
                  { path: ROUTES.night, element: screen(async () => import('./routes/night.tsx')) },
                  { path: ROUTES.library, element: screen(async () => import('./routes/library.tsx')) },
                  { path: ROUTES.statistics, element: screen(async () => import('./routes/statistics.tsx')) },
                  { path: ROUTES.draws, element: screen(async () => import('./routes/draws.tsx')) },
                  { path: ROUTES.draw, element: screen(async () => import('./routes/draws.tsx')) },
                  { path: ROUTES.club, element: screen(async () => import('./routes/club.tsx')) },
                  {
                    path: ROUTES.watchlistSettings,
                    element: screen(async () => import('./routes/watchlist-settings.tsx')),
                  },
                  { path: ROUTES.importMovies, element: screen(async () => import('./routes/import-movies.tsx')) },
                ],
              },
              { path: ROUTES.ourYear, element: screen(async () => import('./routes/our-year.tsx')) },
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
