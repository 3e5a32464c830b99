import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import { cardFeed } from '#web/features/movies/queries.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { clientOf, endFirstScreen, fillFirstScreen } from './first-screen.ts'

tidyUp()

const ANA = { state: 'signed-in', user: { userId: 'ana', username: 'Ana', loginId: 'ana' } } as const

beforeEach(() => {
  fakeApi({ getWatchlist: () => aWatchlist('w1'), listCards: () => ({ cards: [], nextToken: null }) })
})
afterEach(endFirstScreen)

function heldFor(userId: string | undefined) {
  const client = clientOf(userId)
  return [
    client.getQueryData(watchlistDetail('w1', client).queryKey)?.id,
    client.getQueryData(cardFeed('w1').queryKey)?.pages.length,
  ]
}

test('the first screen of a watchlist starts with its watchlist and first cards', async () => {
  await fillFirstScreen('/watchlists/w1', ANA)

  expect(heldFor('ana')).toEqual(['w1', 1])
})

test('the first reads of a user are not used for another user', async () => {
  await fillFirstScreen('/watchlists/w1', ANA)

  expect(heldFor('ben')).toEqual([undefined, undefined])
  expect(heldFor(undefined)).toEqual([undefined, undefined])
})

test('a guest starts with the first reads for guests', async () => {
  await fillFirstScreen('/watchlists/w1', { state: 'signed-out', because: 'none' })

  expect(heldFor(undefined)).toEqual(['w1', 1])
  expect(heldFor('ana')).toEqual([undefined, undefined])
})

test('a user who signs in again starts without the first reads', async () => {
  await fillFirstScreen('/watchlists/w1', ANA)
  endFirstScreen()

  expect(heldFor('ana')).toEqual([undefined, undefined])
})

test('the first screen does not wait for a slow server', async () => {
  vi.useFakeTimers()
  fakeApi({ getWatchlist: async () => new Promise(() => {}), listCards: () => ({ cards: [], nextToken: null }) })
  const filled = vi.fn<() => void>()
  void fillFirstScreen('/watchlists/w1', ANA).then(filled)
  await vi.advanceTimersByTimeAsync(499)
  expect(filled).not.toHaveBeenCalled()

  await vi.advanceTimersByTimeAsync(1)

  expect(filled).toHaveBeenCalledOnce()
})

test('a failed first read is left to the screen', async () => {
  const notFound = () => new Refusal(404, 'NOT_FOUND', 'Watchlist not found')
  fakeApi({ getWatchlist: notFound, listCards: notFound })

  await fillFirstScreen('/watchlists/w1', ANA)

  expect(heldFor('ana')).toEqual([undefined, undefined])
})
