import { act, render } from '@testing-library/react'
import { createMemoryRouter, createPath, type RouteObject, RouterProvider } from 'react-router'

import type { Account, SessionUser } from '#web/account/account.ts'
import { createSessionStore } from '#web/session/session-store.ts'
import { SessionContext } from '#web/session/use-session.ts'

/** A browser in which this user, or no user, is signed in. */
export function aSession(user?: SessionUser) {
  const tokens = { user }
  const account: Account = {
    readUser: async () => tokens.user,
    idToken: async () => tokens.user && 'token',
    signOut: async () => {
      tokens.user = undefined
    },
  }
  return createSessionStore(account)
}

/** Opens these routes at an entry as a visitor with this session; `place()` is the path and query they are at. */
export async function openApp(
  routes: RouteObject[],
  entry: string | { pathname: string; search?: string; hash?: string; state: unknown },
  session = aSession(),
) {
  await session.refresh()
  const router = createMemoryRouter(routes, { initialEntries: [entry] })
  const view = render(
    <SessionContext value={session}>
      <RouterProvider router={router} />
    </SessionContext>,
  )
  return {
    ...view,
    session,
    place: () => createPath(router.state.location),
    goTo: async (path: string) => act(async () => router.navigate(path)),
    state: () => router.state.location.state as unknown,
  }
}
