import { InfiniteQueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'

import { createQueryClient } from '#web/api/query-client.ts'
import { isReadSince, momentBefore } from '#web/api/read-times.ts'
import { fakeApi } from '#web/testing/fake-api.ts'
import { aCard } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'

import { feedCache } from './feed-cache.ts'
import { cardFeed, suggestedCount } from './queries.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('pages are read again in full only after a change on the server or in the browser', async () => {
  const server = { version: '"1"', title: 'Alien' }
  const api = fakeApi({
    listCards: ({ query, headers }) => {
      if (headers['if-none-match'] === server.version) return new Response(null, { status: 304 })
      const page = Number(query.get('nextToken') ?? 1)
      const cards = [aCard(`c${page}`, 'REVEALED', { title: `${server.title} ${page}` })]
      return Response.json(
        { cards, nextToken: page === 3 ? null : String(page + 1) },
        { headers: { etag: server.version } },
      )
    },
  })
  const client = createQueryClient()
  const feed = new InfiniteQueryObserver(client, cardFeed('w1'))
  await feed.refetch()
  for (const _ of [2, 3]) await feed.fetchNextPage()
  const readAgain = async () => {
    const before = api.callsOf('listCards').length
    const { data } = await feed.refetch()
    return {
      pages: api
        .callsOf('listCards')
        .slice(before)
        .map(({ request }) => request.query.get('nextToken') ?? '1'),
      titles: data?.pages.flatMap(({ cards }) => cards.map(({ title }) => title)),
    }
  }

  expect(await readAgain()).toEqual({ pages: ['1'], titles: ['Alien 1', 'Alien 2', 'Alien 3'] })

  const changed = client.getQueryData(cardFeed('w1').queryKey)?.pages[1]?.cards[0]
  if (changed !== undefined) feedCache(client, 'w1').putInPlace({ ...changed, title: 'Unsent' })
  expect(await readAgain()).toEqual({ pages: ['1', '2'], titles: ['Alien 1', 'Alien 2', 'Alien 3'] })

  Object.assign(server, { version: '"2"', title: 'Aliens' })
  expect(await readAgain()).toEqual({ pages: ['1', '2', '3'], titles: ['Aliens 1', 'Aliens 2', 'Aliens 3'] })
  client.clear()
})

test('a card put on top of the feed leaves the other cards the same objects', async () => {
  fakeApi({ listCards: () => ({ cards: [aCard('a'), aCard('b')], nextToken: null }) })
  const client = createQueryClient()
  const feed = new InfiniteQueryObserver(client, cardFeed('w1'))
  const { data: before } = await feed.refetch()

  const { putOnTop, receive } = feedCache(client, 'w1')
  putOnTop(receive(aCard('new')))

  const [added, ...others] = client.getQueryData(cardFeed('w1').queryKey)?.pages[0]?.cards ?? []
  expect(added?.id).toBe('new')
  expect(others.map((card) => before?.pages[0]?.cards.indexOf(card))).toEqual([0, 1])
  client.clear()
})

test('a card deleted during the first read of the feed does not appear', async () => {
  const first = Promise.withResolvers<void>()
  const api = fakeApi({
    listCards: async () => {
      if (api.callsOf('listCards').length > 1) return { cards: [], nextToken: null }
      await first.promise
      return { cards: [aCard('c1')], nextToken: null }
    },
  })
  const client = createQueryClient()
  const feed = new InfiniteQueryObserver(client, cardFeed('w1'))
  const stop = feed.subscribe(() => {})
  await vi.waitFor(() => expect(api.callsOf('listCards')).toHaveLength(1), WITHIN)

  feedCache(client, 'w1').remove('c1')
  first.resolve()

  await vi.waitFor(() => expect(feed.getCurrentResult().data?.pages[0]?.cards).toEqual([]), WITHIN)
  stop()
  client.clear()
})

test('a count that failed is not treated as an up-to-date answer', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  fakeApi({ countSuggestedCards: () => new Response(null, { status: 500 }) })
  const client = createQueryClient()

  expect(await client.query(suggestedCount('w1'))).toBe(0)

  const query = client.getQueryCache().find({ queryKey: suggestedCount('w1').queryKey })
  expect(query && isReadSince(query, momentBefore(60_000))).toBe(false)
})
