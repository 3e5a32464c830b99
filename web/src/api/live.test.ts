import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'

import { useLiveEvents, useOwnEvents, whileVisible } from './live.ts'
import type { Moment } from './read-times.ts'
import { WITHIN } from '#web/testing/within.ts'

let log: string[]
let end: () => void

function show(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
  log = []
  show('visible')
})

afterEach(() => {
  end()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function begin(): void {
  end = whileVisible(() => {
    log.push('start')
    return () => log.push('stop')
  })
}

test('the live connection survives a short time in the background', () => {
  begin()
  show('hidden')
  vi.advanceTimersByTime(9_000)
  show('visible')
  vi.advanceTimersByTime(60_000)

  expect(log).toEqual(['start'])
})

test('the live connection stops after ten seconds in the background and restarts when the page is visible', () => {
  begin()
  show('hidden')
  vi.advanceTimersByTime(10_000)
  show('visible')

  expect(log).toEqual(['start', 'stop', 'start'])
})

test('a page opened in the background connects once it becomes visible', () => {
  show('hidden')
  begin()
  expect(log).toEqual([])

  show('visible')

  expect(log).toEqual(['start'])
})

test('the live connection restarts when the network is back, and stops when the page is suspended', () => {
  begin()
  globalThis.dispatchEvent(new Event('online'))
  globalThis.dispatchEvent(new Event('pagehide'))

  expect(log).toEqual(['start', 'stop', 'start', 'stop'])
})

test('a live connection that was ended does not restart', () => {
  begin()
  end()
  show('hidden')
  show('visible')
  globalThis.dispatchEvent(new Event('online'))

  expect(log).toEqual(['start', 'stop'])
})

test('notification events arrive on the open watchlist stream, or on the user’s own stream if none is open', async () => {
  vi.useRealTimers()
  const [own, ofWatchlist, ownAgain] = [aLiveStream(), aLiveStream(), aLiveStream()]
  const ownStreams = [own, ownAgain]
  const api = fakeApi({
    ownEvents: () => ownStreams.shift()?.response,
    watchlistEvents: () => ofWatchlist.response,
  })
  const heard: string[] = []
  const bell = renderHook(() =>
    useOwnEvents({ onEvent: ({ kind }) => heard.push(kind), onOpen: () => heard.push('open') }),
  )
  await vi.waitFor(() => expect(heard).toEqual(['open']), WITHIN)
  own.tell({ kind: 'notifications-changed' })
  await vi.waitFor(() => expect(heard).toEqual(['open', 'notifications-changed']), WITHIN)

  const page = renderHook(() => useLiveEvents('w1', {}))
  await vi.waitFor(() => expect(heard).toEqual(['open', 'notifications-changed', 'open']), WITHIN)
  ofWatchlist.tell({ kind: 'card-revealed', watchlistId: 'w1', cardId: 'c1', by: 'Ben' })
  ofWatchlist.tell({ kind: 'notifications-changed', watchlistId: 'w1' })
  await vi.waitFor(
    () => expect(heard).toEqual(['open', 'notifications-changed', 'open', 'notifications-changed']),
    WITHIN,
  )

  page.unmount()
  await vi.waitFor(() => expect(heard.at(-1)).toBe('open'), WITHIN)
  bell.unmount()
  end = () => undefined
  expect(api.callsOf('ownEvents')).toHaveLength(2)
})

test('a listener that joins an open stream is called at once with the time since the last event', async () => {
  vi.useRealTimers()
  const stream = aLiveStream()
  fakeApi({ watchlistEvents: () => stream.response })
  const first = vi.fn<(moment: Moment) => void>()
  const [second, third] = [vi.fn<(moment: Moment) => void>(), vi.fn<(moment: Moment) => void>()]
  const heard = vi.fn<() => void>()
  renderHook(() => useLiveEvents('w1', { onOpen: first, onEvent: heard }))
  await vi.waitFor(() => expect(first).toHaveBeenCalledTimes(1), WITHIN)

  renderHook(() => useLiveEvents('w1', { onOpen: second }))
  stream.tell({ kind: 'box-changed', watchlistId: 'w1' })
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1), WITHIN)
  renderHook(() => useLiveEvents('w1', { onOpen: third }))

  expect(first).toHaveBeenCalledTimes(1)
  const [opened, joined, later] = [first, second, third].map(({ mock }) => mock.calls[0]?.[0].elapsed ?? NaN)
  expect(joined).toBe(opened)
  expect(later).toBeGreaterThan(opened ?? NaN)
})
