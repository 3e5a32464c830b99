import { Navigate, type RouteObject } from 'react-router'

import { ROUTES, to } from './paths.ts'
import { RouteFailure } from './failure-screens.tsx'
import { SignedIn, SignedOut, Waiting } from './session/guards.tsx'

/**
 * The routes of the app with their guards. A route module exports its screen as `Component` and loads when it is first
 * shown. See docs/product/routes.md.
 */
export const routes: RouteObject[] = [
  {
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <Waiting />,
    children: [
      {
        element: <SignedOut />,
        children: [
          {
            lazy: async () => import('./routes/auth-layout.tsx'),
            children: [
              { path: ROUTES.login, lazy: async () => import('./routes/login.tsx') },
              { path: ROUTES.signup, lazy: async () => import('./routes/signup.tsx') },
              { path: ROUTES.verify, lazy: async () => import('./routes/verify.tsx') },
              { path: ROUTES.forgotPassword, lazy: async () => import('./routes/forgot-password.tsx') },
              { path: ROUTES.resetPassword, lazy: async () => import('./routes/reset-password.tsx') },
            ],
          },
        ],
      },
      {
        lazy: async () => import('./routes/auth-layout.tsx'),
        children: [
          { path: ROUTES.confirm, lazy: async () => import('./routes/confirm.tsx') },
          { path: ROUTES.authorize, lazy: async () => import('./routes/authorize.tsx') },
          { path: ROUTES.external, lazy: async () => import('./routes/external.tsx') },
          { path: ROUTES.logout, lazy: async () => import('./routes/logout.tsx') },
        ],
      },
      { path: ROUTES.acceptInvitation, lazy: async () => import('./routes/accept-invitation.tsx') },
      {
        element: <SignedIn />,
        children: [
          {
            lazy: async () => import('./routes/server-data.tsx'),
            children: [
              {
                lazy: async () => import('./routes/signed-in-layout.tsx'),
                children: [
                  { path: ROUTES.home, lazy: async () => import('./routes/home.tsx') },
                  { path: ROUTES.share, lazy: async () => import('./routes/share.tsx') },
                  { path: ROUTES.changePassword, lazy: async () => import('./routes/change-password.tsx') },
                  { path: ROUTES.security, lazy: async () => import('./routes/security.tsx') },
                  { path: ROUTES.profileEdit, lazy: async () => import('./routes/profile-edit.tsx') },
                  { path: ROUTES.watchlists, lazy: async () => import('./routes/watchlists.tsx') },
                  { path: ROUTES.createWatchlist, lazy: async () => import('./routes/create-watchlist.tsx') },
                  { path: ROUTES.watchlist, lazy: async () => import('./routes/watchlist.tsx') },
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
