import { InfiniteQueryObserver, type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { aWatchlist } from '#web/testing/samples.ts'

import { readEarly } from './early-reads.ts'
import { createQueryClient } from './query-client.ts'
import { answeredHere, isAnsweredSince, isReadSince, momentBefore } from './read-times.ts'

const queryKey = ['cards']

let client: QueryClient
/** The replies of the server, in order. A read without one waits. */
let replies: string[]
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-29T20:00:00Z') })
  vi.advanceTimersByTime(60_000)
  client = createQueryClient()
  replies = []
})

afterEach(() => {
  stop()
  // The files of a worker share modules, so no early read may be left for the next one.
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
})

async function read(): Promise<string> {
  const reply = replies.shift()
  return reply === undefined ? new Promise(() => {}) : reply
}

async function show(): Promise<void> {
  const observer = new QueryObserver(client, { queryKey, queryFn: read })
  stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
}

/** Whether what the screen has was read within these milliseconds. */
function isReadWithin(ms: number): boolean | undefined {
  const query = client.getQueryCache().find({ queryKey })
  return query && isReadSince(query, momentBefore(ms))
}

test('a response is as old as its request', async () => {
  replies = ['one']
  await show()
  await vi.advanceTimersByTimeAsync(5_000)

  expect([isReadWithin(5_000), isReadWithin(4_999)]).toEqual([true, false])
})

test('a read in progress counts from its start, and a cancelled read restores the previous age', async () => {
  replies = ['one']
  await show()
  await vi.advanceTimersByTimeAsync(5_000)
  void client.refetchQueries({ queryKey })
  expect([isReadWithin(0), isReadWithin(4_999)]).toEqual([true, true])

  await client.cancelQueries({ queryKey })

  expect([isReadWithin(5_000), isReadWithin(4_999)]).toEqual([true, false])
})

test('an answer keeps its age while the next read is under way', async () => {
  replies = ['one']
  await show()
  await vi.advanceTimersByTimeAsync(5_000)
  void client.refetchQueries({ queryKey })

  const query = client.getQueryCache().find({ queryKey })
  expect([5_000, 4_999].map((ms) => query && isAnsweredSince(query, momentBefore(ms)))).toEqual([true, false])
})

test('a local change does not make a response newer', async () => {
  replies = ['one']
  await show()
  await vi.advanceTimersByTimeAsync(5_000)
  client.setQueryData(queryKey, 'changed')

  expect([isReadWithin(5_000), isReadWithin(4_999)]).toEqual([true, false])
})

test('data that was never read, or that came from the device itself, is not up to date', async () => {
  client.setQueryData(queryKey, 'kept')
  expect(isReadWithin(10_000)).toBe(false)

  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: () => {
      const query = client.getQueryCache().find({ queryKey })
      if (query) answeredHere(query)
      return 'kept'
    },
  })
  stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
  expect(isReadWithin(10_000)).toBe(false)
})

test('a list is as old as its first page', async () => {
  const observer = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: ({ pageParam }) => pageParam,
    initialPageParam: 1,
    getNextPageParam: (last: number) => last + 1,
  })
  stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(5_000)
  await observer.fetchNextPage()

  expect(observer.getCurrentResult().data?.pages).toEqual([1, 2])
  expect([isReadWithin(5_000), isReadWithin(4_999)]).toEqual([true, false])
})

test('a list that loads its next page is as old as its first page, even after a failed read', async () => {
  let isDown = false
  const observer = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: async ({ pageParam }) => {
      if (isDown) throw new Error('down')
      return pageParam > 1 ? new Promise<number>(() => {}) : pageParam
    },
    initialPageParam: 1,
    getNextPageParam: (last: number) => last + 1,
  })
  stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(5_000)
  isDown = true
  await observer.refetch()
  isDown = false
  void observer.fetchNextPage()
  await vi.advanceTimersByTimeAsync(0)

  expect([isReadWithin(5_000), isReadWithin(4_999)]).toEqual([true, false])
})

test('time that a device sleeps counts, and setting its clock back does not reduce it', async () => {
  replies = ['one']
  await show()
  vi.setSystemTime(new Date('2026-11-29T22:00:00Z'))
  expect(isReadWithin(60_000)).toBe(false)

  vi.advanceTimersByTime(90_000)
  vi.setSystemTime(new Date('2026-11-29T20:01:00Z'))
  expect(isReadWithin(60_000)).toBe(false)
})

test('a response that was requested while the page opened is as old as the page', async () => {
  fakeApi({ getWatchlist: () => aWatchlist('w1'), listCards: () => ({ cards: [], nextToken: null }) })
  readEarly('/watchlists/w1', 'token')
  replies = ['one']
  const age = momentBefore(0).elapsed
  await show()

  expect([isReadWithin(age), isReadWithin(age - 1)]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(10_000)
})

test('a response that is requested again at once keeps its own age', async () => {
  const waiting: ((value: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: async () => new Promise<string>((resolve) => waiting.push(resolve)),
  })
  stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(5_000)
  void client.invalidateQueries({ queryKey })
  waiting[0]?.('one')
  await vi.advanceTimersByTimeAsync(0)
  expect(waiting).toHaveLength(2)

  await client.cancelQueries({ queryKey })

  expect([isReadWithin(5_000), isReadWithin(4_999)]).toEqual([true, false])
})
