import { ENDPOINTS } from '@marquee/contract/endpoints'
import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { call } from './call.ts'
import { mayHaveMissedEvents, readEarly, takeEarlyResponse } from './early-reads.ts'
import { useLiveEvents } from './live.ts'

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
  mayHaveMissedEvents('w1')
  // The files of a worker share modules, so no response may be left for the next one.
  for (const path of ['', `/cards?limit=${CARDS_PAGE_SIZE}`]) {
    void takeEarlyResponse(`/api/watchlists/w1${path}`, { method: 'GET' })
  }
})

const readWatchlist = async () => call(ENDPOINTS.getWatchlist, { params: { watchlistId: 'w1' } })

test('a screen takes over what was read early', async () => {
  readEarly('/watchlists/w1', 'token')
  expect(api.calls.map(({ name }) => name)).toEqual(['getWatchlist', 'listCards'])

  expect(await readWatchlist()).toEqual(aWatchlist('w1'))
  await call(ENDPOINTS.listCards, { params: { watchlistId: 'w1' }, query: { limit: CARDS_PAGE_SIZE } })
  expect(api.calls).toHaveLength(2)

  await readWatchlist()
  expect(api.calls).toHaveLength(3)
})

test('events that came after an early read are made up for when the stream opens', async () => {
  vi.useRealTimers()
  fakeApi({
    getWatchlist: () => aWatchlist('w1'),
    listCards: () => ({ cards: [], nextToken: null }),
    watchlistEvents: () => aLiveStream().response,
  })
  readEarly('/watchlists/w1', 'token')
  await readWatchlist()
  const opened = vi.fn<(since: number) => void>()

  const { unmount } = renderHook(() => useLiveEvents('w1', { onOpen: opened }))
  await waitFor(() => expect(opened).toHaveBeenCalledWith(Infinity))
  unmount()

  renderHook(() => useLiveEvents('w1', { onOpen: opened }))
  await waitFor(() => expect(opened).toHaveBeenCalledTimes(2))
  expect(opened).not.toHaveBeenLastCalledWith(Infinity)
})

test('a listener that joins an open stream makes up for the events so far', async () => {
  vi.useRealTimers()
  fakeApi({ watchlistEvents: () => aLiveStream().response })
  const [first, second] = [vi.fn<(since: number) => void>(), vi.fn<(since: number) => void>()]
  renderHook(() => useLiveEvents('w1', { onOpen: first }))
  await waitFor(() => expect(first).toHaveBeenCalledTimes(1))

  renderHook(() => useLiveEvents('w1', { onOpen: second }))

  expect(second.mock.calls).toEqual([[Infinity]])
  expect(first).toHaveBeenCalledTimes(1)
})

test('what was read early for another token is read again', async () => {
  readEarly('/watchlists/w1', 'an older token')

  await readWatchlist()

  expect(api.callsOf('getWatchlist').map(({ request }) => request.headers['authorization'])).toEqual([
    'Bearer an older token',
    'Bearer token',
  ])
})

test('what was read early is out of date after ten seconds', async () => {
  readEarly('/watchlists/w1', 'token')
  vi.advanceTimersByTime(10_000)

  await readWatchlist()

  expect(api.callsOf('getWatchlist')).toHaveLength(2)
})

test('a call that is cancelled does not wait for what was read early', async () => {
  fakeApi({ getWatchlist: async () => new Promise(() => {}), listCards: () => ({ cards: [], nextToken: null }) })
  readEarly('/watchlists/w1', 'token')
  const leaving = new AbortController()
  const reading = call(ENDPOINTS.getWatchlist, { params: { watchlistId: 'w1' }, signal: leaving.signal })
  const failure = reading.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(0)
  leaving.abort(new Error('left'))

  expect(await failure).toEqual(new Error('left'))
})

test.each(['/watchlists', '/watchlists/create', '/profile/edit'])('nothing is read early for %s', (path) => {
  readEarly(path, 'token')

  expect(api.calls).toEqual([])
})
