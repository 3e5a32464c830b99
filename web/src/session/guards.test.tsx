import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'

import type { Account } from '#web/account/account.ts'
import { aSession, openApp } from '#web/testing/open-app.tsx'
import { features, setFeatures } from '#web/config.ts'

import { SignedIn, SignedOut } from './guards.tsx'
import { hostedTarget, rememberHostedTarget } from './hosted-sign-in.ts'
import { createSessionStore } from './session-store.ts'

const NOTHING = features()
afterEach(() => {
  cleanup()
  setFeatures(NOTHING)
  localStorage.clear()
})

const ana = { userId: 'u1', username: 'Ana', loginId: 'ana@example.org' }
const routes = [
  { element: <SignedOut />, children: [{ path: '/auth/login', element: <p>{'login'}</p> }] },
  {
    element: <SignedIn />,
    children: [
      { path: '/', element: <p>{'home'}</p> },
      { path: '/watchlists/create', element: <p>{'create'}</p> },
      { path: '/watchlists/:id', element: <p>{'watchlist'}</p> },
    ],
  },
]

test('a signed-out visitor is redirected to the login screen with their target as the redirect', async () => {
  const app = await openApp(routes, '/watchlists/w1?tab=2#top')

  expect(await screen.findByText('login')).toBeDefined()
  expect(app.place()).toBe('/auth/login?redirect=%2Fwatchlists%2Fw1%3Ftab%3D2%23top')
  expect(app.state()).toBeNull()
})

test('a signed-out visitor of the home page is redirected without a target', async () => {
  const app = await openApp(routes, '/')

  expect(await screen.findByText('login')).toBeDefined()
  expect(app.place()).toBe('/auth/login')
})

test('an unreachable identity service shows an error with a button to retry', async () => {
  const session = aSession(ana)
  const refresh = vi.fn<() => Promise<void>>().mockResolvedValueOnce().mockRejectedValueOnce(new Error('no network'))
  refresh.mockImplementation(session.refresh)
  session.reportUnreachable()
  await openApp(routes, '/watchlists/w1', { ...session, refresh })

  expect((await screen.findByRole('alert')).textContent).toContain('The sign-in service cannot be reached.')
  expect(screen.getByRole('status').textContent).toBe('Trying again every few seconds...')
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }))
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }))

  expect(await screen.findByText('watchlist')).toBeDefined()
})

test('a signed-in user who opens the login screen is redirected home', async () => {
  const app = await openApp(routes, '/auth/login', aSession(ana))

  expect(await screen.findByText('home')).toBeDefined()
  expect(app.place()).toBe('/')
})

test('a signed-in user on the login screen is redirected to its redirect parameter', async () => {
  const app = await openApp(routes, '/auth/login?redirect=%2Fwatchlists%2Fw1%3Ftab%3D2', aSession(ana))

  expect(await screen.findByText('watchlist')).toBeDefined()
  expect(app.place()).toBe('/watchlists/w1?tab=2')
})

test.each([
  ['/watchlists/w1?tab=2', 'watchlist', '/watchlists/w1?tab=2'],
  ['//evil.example', 'home', '/'],
])('the return from the hosted pages leads once to %s if that is a path of this app', async (target, shown, place) => {
  rememberHostedTarget(target)
  const app = await openApp(routes, '/auth/login', aSession(ana))

  expect(await screen.findByText(shown)).toBeDefined()
  expect(app.place()).toBe(place)
  expect(hostedTarget()).toBeNull()
})

test('a redirect to another origin is replaced by the home page', async () => {
  const app = await openApp(routes, '/auth/login?redirect=%2F%2Fevil.example', aSession(ana))

  expect(await screen.findByText('home')).toBeDefined()
  expect(app.place()).toBe('/')
})

test('a user who signs out is not redirected back to the same screen', async () => {
  const app = await openApp(routes, '/watchlists/w1', aSession(ana))
  expect(await screen.findByText('watchlist')).toBeDefined()

  await act(async () => app.session.signOut())

  expect(await screen.findByText('login')).toBeDefined()
  expect(app.place()).toBe('/auth/login')
})

test('a user whose session expired sees a message and returns to where they were', async () => {
  const app = await openApp(routes, '/watchlists/w1', aSession(ana))
  expect(await screen.findByText('watchlist')).toBeDefined()

  await act(async () => app.session.expired())

  expect(await screen.findByText('login')).toBeDefined()
  expect(app.place()).toBe('/auth/login?redirect=%2Fwatchlists%2Fw1')
  expect(app.state()).toEqual({ message: 'Your session has ended. Please sign in again.', messageType: 'error' })
})

test('a user whose session expired in another tab sees the same message and returns to where they were', async () => {
  const tokens: { user: typeof ana | undefined } = { user: ana }
  const account: Account = {
    readUser: async () => tokens.user,
    idToken: async () => tokens.user && 'token',
    signOut: async () => {
      tokens.user = undefined
    },
  }
  const otherTab = createSessionStore(account)
  await otherTab.look()
  const app = await openApp(routes, '/watchlists/w1', createSessionStore(account))
  expect(await screen.findByText('watchlist')).toBeDefined()

  await otherTab.expired()
  await act(async () => app.session.look())

  expect(await screen.findByText('login')).toBeDefined()
  expect(app.place()).toBe('/auth/login?redirect=%2Fwatchlists%2Fw1')
  expect(app.state()).toEqual({ message: 'Your session has ended. Please sign in again.', messageType: 'error' })
})

test('a user who has to sign in again returns to where they were', async () => {
  const session = aSession(ana)
  const app = await openApp(routes, '/watchlists/w1', session)
  await act(async () => session.signInAgain())

  expect(await screen.findByText('login')).toBeDefined()
  expect(app.place()).toBe('/auth/login?redirect=%2Fwatchlists%2Fw1')
  expect(app.state()).toEqual({
    message: 'Please sign in again to confirm that it is you.',
    messageType: 'info',
    again: 'yes',
  })
})

test('a guest can open a watchlist by its link but no other screen, if guests are allowed', async () => {
  setFeatures({ ...NOTHING, guests: true })
  const guest = await openApp(routes, '/watchlists/w1')
  expect(await screen.findByText('watchlist')).toBeDefined()
  expect(guest.place()).toBe('/watchlists/w1')
  cleanup()

  for (const path of ['/watchlists/create', '/']) {
    await openApp(routes, path)
    expect(await screen.findByText('login')).toBeDefined()
    cleanup()
  }
})

test('a user whose session ended does not become a guest', async () => {
  setFeatures({ ...NOTHING, guests: true })
  const app = await openApp(routes, '/watchlists/w1', aSession(ana))
  expect(await screen.findByText('watchlist')).toBeDefined()

  await act(async () => app.session.expired())

  expect(await screen.findByText('login')).toBeDefined()
})
