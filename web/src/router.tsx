import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Navigate, Outlet, type RouteObject } from 'react-router'

import { FailureBoundary } from './failure-screens.tsx'
import { ROUTES, to } from './paths.ts'
import { SignedIn, SignedOut, Waiting } from './session/guards.tsx'

/** A screen that loads when it is first shown. Until then, the previous screen stays. */
function screen(load: () => Promise<{ Component: ComponentType }>): ReactNode {
  const Screen = lazy(async () => ({ default: (await load()).Component }))
  return <Screen />
}

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
            element: screen(async () => import('./routes/auth-layout.tsx')),
            children: [
              { path: ROUTES.login, element: screen(async () => import('./routes/login.tsx')) },
              { path: ROUTES.signup, element: screen(async () => import('./routes/signup.tsx')) },
              { path: ROUTES.verify, element: screen(async () => import('./routes/verify.tsx')) },
              { path: ROUTES.forgotPassword, element: screen(async () => import('./routes/forgot-password.tsx')) },
              { path: ROUTES.resetPassword, element: screen(async () => import('./routes/reset-password.tsx')) },
            ],
          },
        ],
      },
      {
        element: screen(async () => import('./routes/auth-layout.tsx')),
        children: [
          { path: ROUTES.confirm, element: screen(async () => import('./routes/confirm.tsx')) },
          { path: ROUTES.authorize, element: screen(async () => import('./routes/authorize.tsx')) },
          { path: ROUTES.external, element: screen(async () => import('./routes/external.tsx')) },
          { path: ROUTES.logout, element: screen(async () => import('./routes/logout.tsx')) },
        ],
      },
      { path: ROUTES.acceptInvitation, element: screen(async () => import('./routes/accept-invitation.tsx')) },
      {
        element: <SignedIn />,
        children: [
          {
            element: screen(async () => import('./routes/server-data.tsx')),
            children: [
              {
                element: screen(async () => import('./routes/signed-in-layout.tsx')),
                children: [
                  { path: ROUTES.home, element: screen(async () => import('./routes/home.tsx')) },
                  { path: ROUTES.changePassword, element: screen(async () => import('./routes/change-password.tsx')) },
                  { path: ROUTES.security, element: screen(async () => import('./routes/security.tsx')) },
                  { path: ROUTES.profileEdit, element: screen(async () => import('./routes/profile-edit.tsx')) },
                  { path: ROUTES.watchlists, element: screen(async () => import('./routes/watchlists.tsx')) },
                  {
                    path: ROUTES.createWatchlist,
                    element: screen(async () => import('./routes/create-watchlist.tsx')),
                  },
                  { path: ROUTES.watchlist, element: screen(async () => import('./routes/watchlist.tsx')) },
                ],
              },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to={to.home()} replace /> },
    ],
  },
]
