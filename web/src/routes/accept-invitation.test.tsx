import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { expect, test, vi } from 'vitest'

import { ROUTES, to } from '#web/paths.ts'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aSession, openApp } from '#web/testing/open-app.tsx'
import { tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { Component as AcceptInvitation } from './accept-invitation.tsx'
import { WITHIN } from '#web/testing/within.ts'

tidyUp()

const joined = aWatchlist('w7', { name: 'Friday film club' })
const WELCOME: FakeAnswers = {
  acceptInvitation: () => joined,
  listWatchlists: () => [joined],
  getCurrentWatchlist: () => ({ currentWatchlistId: null }),
  setCurrentWatchlist: () => ({ currentWatchlistId: 'w7' }),
}

async function openLink(link: string, answers: FakeAnswers, { isSignedIn = true } = {}) {
  const api = fakeApi(answers)
  const session = aSession(isSignedIn ? { userId: '1', username: 'Ben', loginId: 'ben@example.org' } : undefined)
  const screenOfLink = (
    <StrictMode>
      <AcceptInvitation />
    </StrictMode>
  )
  const app = await openApp(
    [
      { path: ROUTES.acceptInvitation, element: screenOfLink },
      { path: '*', element: null },
    ],
    link,
    session,
  )
  return { api, app, session }
}

test('a signed-out visitor is asked to log in, and then returns to the same link', async () => {
  const { api } = await openLink(to.acceptInvitation('a+b'), {}, { isSignedIn: false })

  expect(screen.getByText('You need to be logged in to accept this invitation.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(to.login(to.acceptInvitation('a+b')))
  expect(api.calls).toEqual([])
})

test.each([to.acceptInvitation(), to.acceptInvitation('  ')])('a link without a token is invalid: %s', async (link) => {
  const { api, app } = await openLink(link, {})

  expect(screen.getByRole('alert').textContent).toBe('Invalid or expired invitation link')
  expect(api.calls).toEqual([])
  await userEvent.click(screen.getByRole('link', { name: 'Back to watchlists' }))
  expect(app.place()).toBe(to.watchlists())
})

test('an invitation is accepted once, and its watchlist opens two seconds later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { api, app, session } = await openLink(to.acceptInvitation('t'), WELCOME)
  const refresh = vi.spyOn(session, 'refresh')

  expect(screen.getByRole('status').textContent).toBe('Accepting invitation...')
  await vi.waitFor(() => {
    expect(screen.getByText("You've joined the watchlist!")).toBeTruthy()
  }, WITHIN)
  expect(screen.getByText('Redirecting to Friday film club...')).toBeTruthy()
  expect(app.place()).toBe(to.acceptInvitation('t'))
  await act(async () => await vi.advanceTimersByTimeAsync(1_800))
  expect(app.place()).toBe(to.acceptInvitation('t'))
  await act(async () => await vi.advanceTimersByTimeAsync(200))

  expect(app.place()).toBe(to.watchlist('w7'))
  expect(api.callsOf('acceptInvitation').map(({ request }) => request.body)).toEqual([{ token: 't' }])
  expect(api.callsOf('listWatchlists')).toHaveLength(1)
  expect(api.callsOf('setCurrentWatchlist').map(({ request }) => request.body)).toEqual([{ watchlistId: 'w7' }])
  expect(refresh.mock.calls.length).toBeLessThanOrEqual(1)
})

test('a new member whose watchlists cannot be refreshed sees a message and a link', async () => {
  const { app } = await openLink(to.acceptInvitation('t'), {
    ...WELCOME,
    listWatchlists: () => new Refusal(404, 'NOT_FOUND', 'Resource not found'),
  })

  expect(await screen.findByText("You've joined the watchlist!")).toBeTruthy()
  expect(screen.getByRole('alert').textContent).toBe(
    'Your watchlists could not be refreshed. Open the watchlist yourself, or reload the page.',
  )
  await userEvent.click(screen.getByRole('link', { name: 'Open Friday film club' }))

  expect(app.place()).toBe(to.watchlist('w7'))
})

test.each([
  [new Refusal(404, 'NOT_FOUND', 'Invalid or expired invitation link'), 'Invalid or expired invitation link'],
  [new Refusal(400, 'BAD_REQUEST', 'This watchlist is full'), 'This watchlist is full'],
])('a rejected invitation shows the server’s message: %o', async (refusal, words) => {
  const { app } = await openLink(to.acceptInvitation('t'), { acceptInvitation: () => refusal })

  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: 'Back to watchlists' }))
  expect(app.place()).toBe(to.watchlists())
})

test('an invitation opened in the wrong account names its user, and switching accounts returns to the link', async () => {
  const { app, session } = await openLink(to.acceptInvitation('t'), {
    acceptInvitation: () => new Refusal(403, 'UNAUTHORIZED', 'This invitation is for Cleo.'),
  })

  expect((await screen.findByRole('alert')).textContent).toBe('This invitation is for Cleo.You are signed in as Ben.')
  await userEvent.click(screen.getByRole('button', { name: 'Switch account' }))

  await waitFor(() => expect(app.place()).toBe(to.login(to.acceptInvitation('t'))))
  expect(session.current()).toEqual({ state: 'signed-out', because: 'left' })
})

test('a server error can be retried', async () => {
  let isUp = false
  await openLink(to.acceptInvitation('t'), {
    ...WELCOME,
    acceptInvitation: () => (isUp ? joined : new Refusal(500, 'SERVER_ERROR', 'Server error: 500')),
  })

  expect((await screen.findByRole('alert')).textContent).toContain('Server error. Please try again later.')
  isUp = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  expect(await screen.findByText("You've joined the watchlist!")).toBeTruthy()
})
