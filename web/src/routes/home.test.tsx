import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'

import { createQueryClient } from '#web/api/query-client.ts'
import { ROUTES } from '#web/paths.ts'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { Component as Home } from './home.tsx'
import { Component as Share } from './share.tsx'

tidyUp()

async function goHome(answers: FakeAnswers, path = '/') {
  const api = fakeApi(answers)
  const router = createMemoryRouter(
    [
      { path: ROUTES.home, element: <Home /> },
      { path: ROUTES.share, element: <Share /> },
      { path: '*', element: null },
    ],
    {
      initialEntries: [path],
    },
  )
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { api, place: () => router.state.location.pathname, passed: () => router.state.location.state as unknown }
}

test('home shows a loading indicator and opens the current watchlist', async () => {
  const { api, place } = await goHome({
    listWatchlists: () => [aWatchlist('w1'), aWatchlist('w2')],
    getCurrentWatchlist: () => ({ currentWatchlistId: 'w2' }),
  })

  expect(screen.getByRole('status')).toBeTruthy()
  await waitFor(() => expect(place()).toBe('/watchlists/w2'))
  expect(api.callsOf('setCurrentWatchlist')).toEqual([])
})

test.each(['/', '/share?url=Heat'])('%s does not redirect a user who has already opened another page', async (path) => {
  const { promise: found, resolve } = Promise.withResolvers<{ currentWatchlistId: string }>()
  const { place } = await goHome(
    { listWatchlists: () => [aWatchlist('w1')], getCurrentWatchlist: async () => await found },
    path,
  )
  const before = place()

  // The address changes at once. The screen follows when it has loaded.
  window.history.pushState(null, '', '/account/sign-in')
  resolve({ currentWatchlistId: 'w1' })
  await new Promise((done) => setTimeout(done, 50))

  expect([place(), screen.getByRole('status')]).toEqual([before, expect.anything()])
  window.history.replaceState(null, '', '/')
})

test('a current watchlist that no longer exists is replaced by the first one, which is saved', async () => {
  const { api, place } = await goHome({
    listWatchlists: () => [aWatchlist('w1'), aWatchlist('w2')],
    getCurrentWatchlist: () => ({ currentWatchlistId: 'gone' }),
    setCurrentWatchlist: () => ({ currentWatchlistId: 'w1' }),
  })

  await waitFor(() => expect(place()).toBe('/watchlists/w1'))
  expect(api.callsOf('setCurrentWatchlist').map(({ request }) => request.body)).toEqual([{ watchlistId: 'w1' }])
})

test('a failure to save the current watchlist is only logged', async () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue()
  const { place } = await goHome({
    listWatchlists: () => [aWatchlist('w1')],
    getCurrentWatchlist: () => ({ currentWatchlistId: null }),
    setCurrentWatchlist: () => new Refusal(500, 'SERVER_ERROR', 'Server error: 500'),
  })

  await waitFor(() => expect(place()).toBe('/watchlists/w1'))
  await waitFor(() => expect(logged.mock.calls).toHaveLength(1))
})

test('a user without a watchlist is redirected from home to the list', async () => {
  const { place } = await goHome({
    listWatchlists: () => [],
    getCurrentWatchlist: () => ({ currentWatchlistId: null }),
  })

  await waitFor(() => expect(place()).toBe('/watchlists'))
})

test.each([
  ['text=Alien%20https://www.imdb.com/title/tt0078748/', 'https://www.imdb.com/title/tt0078748/'],
  ['title=Alien%20(1979)&url=https://letterboxd.com/film/alien/', 'https://letterboxd.com/film/alien/'],
  ['title=Page&text=Alien', 'Alien'],
])('text shared from another app (%s) is passed to the current watchlist', async (query, shared) => {
  const { place, passed } = await goHome(
    { listWatchlists: () => [aWatchlist('w1')], getCurrentWatchlist: () => ({ currentWatchlistId: 'w1' }) },
    `/share?${query}`,
  )

  await waitFor(() => expect(place()).toBe('/watchlists/w1'))
  expect(passed()).toEqual({ shared })
})
