import { ENDPOINTS } from '@marquee/contract/endpoints'
import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { call } from './call.ts'
import { readEarly } from './early-reads.ts'

tidyUp()

let api: ReturnType<typeof fakeApi>

beforeEach(() => {
  vi.useFakeTimers()
  api = fakeApi({
    getWatchlist: () => aWatchlist('w1'),
    listCards: () => ({ cards: [], nextToken: null }),
  })
})

afterEach(() => {
  // The files of a worker share modules, so no response may be left for the next one.
  vi.runOnlyPendingTimers()
})

const readWatchlist = async () => call(ENDPOINTS.getWatchlist, { params: { watchlistId: 'w1' } })

test('a screen reuses an early read once', async () => {
  readEarly('/watchlists/w1', 'token')
  expect(api.calls.map(({ name }) => name)).toEqual(['getWatchlist', 'listCards'])

  expect(await readWatchlist()).toEqual(aWatchlist('w1'))
  await call(ENDPOINTS.listCards, { params: { watchlistId: 'w1' }, query: { limit: CARDS_PAGE_SIZE } })
  expect(api.calls).toHaveLength(2)

  await readWatchlist()
  expect(api.calls).toHaveLength(3)
})

test('an early read made with another token is not reused', async () => {
  readEarly('/watchlists/w1', 'an older token')

  await readWatchlist()

  expect(api.callsOf('getWatchlist').map(({ request }) => request.headers['authorization'])).toEqual([
    'Bearer an older token',
    'Bearer token',
  ])
})

test('an early read expires after ten seconds', async () => {
  readEarly('/watchlists/w1', 'token')
  vi.advanceTimersByTime(10_000)

  await readWatchlist()

  expect(api.callsOf('getWatchlist')).toHaveLength(2)
})

test('an aborted call does not wait for its early read', async () => {
  fakeApi({ getWatchlist: async () => new Promise(() => {}), listCards: () => ({ cards: [], nextToken: null }) })
  readEarly('/watchlists/w1', 'token')
  const leaving = new AbortController()
  const reading = call(ENDPOINTS.getWatchlist, { params: { watchlistId: 'w1' }, signal: leaving.signal })
  const failure = reading.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(0)
  leaving.abort(new Error('left'))

  expect(await failure).toEqual(new Error('left'))
})

test.each(['/watchlists', '/watchlists/create', '/profile/edit'])('%s starts no early reads', (path) => {
  readEarly(path, 'token')

  expect(api.calls).toEqual([])
})
