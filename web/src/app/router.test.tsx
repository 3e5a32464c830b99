import { cleanup, screen, waitFor } from '@testing-library/react'
import { matchRoutes, Outlet } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'

import { ROUTES, to } from '#web/paths.ts'
import { openApp } from '#web/testing/open-app.tsx'

import { FailureBoundary } from './failure-screens.tsx'
import { routes } from './router.tsx'

afterEach(cleanup)

const LINKS: Record<keyof typeof ROUTES, string> = {
  home: to.home(),
  login: to.login('/watchlists?a=1&b=2'),
  signup: to.signup('/x'),
  verify: to.verify(),
  confirm: to.confirm(),
  forgotPassword: to.forgotPassword(),
  resetPassword: to.resetPassword(),
  changePassword: to.changePassword(),
  profileEdit: to.profileEdit(),
  notifications: to.notifications(),
  account: to.account('devices'),
  share: to.share(),
  join: to.join('a_b-c'),
  joinNight: to.joinNight('K7MXQ2'),
  tv: to.tv(),
  setup: to.setup(),
  watchlists: to.watchlists(),
  createWatchlist: to.createWatchlist(),
  authorize: to.authorize('r'),
  logout: to.logout('n'),
  external: to.external(),
  acceptInvitation: to.acceptInvitation('a+b/c'),
  watchlist: to.watchlist('a/b'),
  club: to.club('a/b'),
  watchlistSettings: to.watchlistSettings('a/b'),
  importMovies: to.importMovies('a/b'),
  library: to.library('a/b'),
  suggestions: to.suggestions('a/b'),
  night: to.night('a/b'),
  nightScreen: to.nightScreen('a/b'),
  statistics: to.statistics('a/b'),
  draws: to.draws('a/b'),
  draw: to.draw('a/b', 7),
  ourYear: to.ourYear('a/b', 2026),
}

test.each(Object.entries(LINKS))('the link to %s leads to its own route', (name, link) => {
  const matches = matchRoutes(routes, link.split('?')[0] ?? link)

  expect(matches?.at(-1)?.route.path).toBe(ROUTES[name as keyof typeof ROUTES])
})

test.each([
  ['/account/security', '/account/sign-in'],
  ['/account/nothing', '/'],
  ['/notifications/settings', '/account/notifications'],
])('the old address %s redirects to %s', async (from, now) => {
  const moved = matchRoutes(routes, from)?.at(-1)?.route

  const app = await openApp(
    [
      { path: moved?.path ?? '', element: moved?.element },
      { path: now, element: null },
    ],
    from,
  )

  await waitFor(() => expect(app.place()).toBe(now))
})

test('links encode their parameters', () => {
  expect(LINKS).toMatchObject({
    login: '/auth/login?redirect=%2Fwatchlists%3Fa%3D1%26b%3D2',
    acceptInvitation: '/watchlists/invitation/accept?token=a%2Bb%2Fc',
    watchlist: '/watchlists/a%2Fb',
  })
})

test.each([
  to.home(),
  to.changePassword(),
  to.profileEdit(),
  to.watchlists(),
  to.createWatchlist(),
  to.watchlist('w1'),
  '/nowhere/at/all',
])('a signed-out visitor of %s is redirected to the login screen', async (path) => {
  const app = await openApp(routes, path)

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined()
  expect(app.place()).toMatch(/^\/auth\/login(?:\?|$)/u)
})

test.each([
  [to.login(), 'Sign in'],
  [to.signup(), 'Create an account'],
  [to.forgotPassword(), 'Forgot your password?'],
  [to.acceptInvitation('t'), 'Invitation'],
])('a signed-out visitor may see %s', async (path, heading) => {
  const app = await openApp(routes, path)

  expect(await screen.findByRole('heading', { name: heading })).toBeDefined()
  expect(app.place()).toBe(path)
})

test('the verification screen without an e-mail redirects to the login screen and keeps the redirect', async () => {
  const app = await openApp(routes, to.verify('/watchlists/w1'))

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined()
  expect(app.place()).toBe(to.login('/watchlists/w1'))
})

test('the reset screen without an e-mail redirects to the request for a code', async () => {
  const app = await openApp(routes, to.resetPassword())

  expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeDefined()
  expect(app.place()).toBe(to.forgotPassword())
})

test('an invitation asks a signed-out visitor to log in and links back to itself', async () => {
  await openApp(routes, to.acceptInvitation('a+b'))

  expect(await screen.findByText('You need to be logged in to accept this invitation.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(to.login(to.acceptInvitation('a+b')))
})

test('a screen that fails offers a reload, and the next screen is shown normally', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const Broken = () => {
    throw new Error('broken')
  }
  const app = await openApp(
    [
      {
        element: (
          <FailureBoundary>
            <Outlet />
          </FailureBoundary>
        ),
        children: [
          { path: '/', element: <Broken /> },
          { path: '/next', element: <h1>{'Next'}</h1> },
        ],
      },
    ],
    '/',
  )
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeDefined()

  await app.goTo('/next')

  expect(screen.getByRole('heading', { name: 'Next' })).toBeDefined()
})
