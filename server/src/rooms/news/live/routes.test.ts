import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { epochSeconds, systemClock } from '@marquee/platform/runtime/clock'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { type Caller, call, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { openStream, type OpenStream } from '../../../testing/open-stream.ts'
import { anApp, startApp } from '../../../testing/start-app.ts'
import { testToken } from '../../../testing/test-accounts.ts'
import { STREAMS_PER_USER } from './routes.ts'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)
  const streams: OpenStream[] = []
  let origin: string

  beforeAll(async () => {
    origin = await theApp().app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.leave()
  })

  async function open(path: string, token: string): Promise<OpenStream> {
    const stream = await openStream(`${origin}/api${path}`, token)
    streams.push(stream)
    return stream
  }
  async function listen(watchlist: Pick<Watchlist, 'id'>, caller: Caller, expiresAt?: string): Promise<OpenStream> {
    return await open(`/watchlists/${watchlist.id}/events`, testToken(caller, expiresAt))
  }
  /** Calls the API over the network, as another browser does. */
  async function send(caller: Caller, method: string, path: string, body?: unknown): Promise<Response> {
    return await fetch(`${origin}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${testToken(caller)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  test('a notification reaches the stream that its user has open for another watchlist', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const { watchlist: other } = await aWatchlist(theApp(), { members: [ben] })
    const own = await listen(other, ben)

    await send(owner, 'POST', `/watchlists/${watchlist.id}/cards`, {
      title: 'Alien',
      image: 'https://example.org/alien.jpg',
      revealImmediately: true,
    })
    const seen = await own.nextNotice()

    expect(seen).toEqual({ kind: 'notifications-changed', watchlistId: other.id })
  })

  test('an invitation reaches the notification stream of a user without a watchlist', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp())
    const [own, others] = [await open('/notifications/events', testToken(ben)), await listen(watchlist, owner)]

    await send(owner, 'POST', `/watchlists/${watchlist.id}/invitations`, { username: 'ben' })

    expect(await own.nextNotice()).toEqual({ kind: 'notifications-changed' })
    expect((await others.next()).kind).toBe('invitations-changed')
  })

  test('a reveal by one client reaches the stream of another', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: owner })
    const [own, other] = [await listen(watchlist, owner), await listen(watchlist, ben)]

    await send(owner, 'POST', `/watchlists/${watchlist.id}/cards/reveal`)
    const seen = await other.next()

    expect(seen).toEqual({ kind: 'card-revealed', watchlistId: watchlist.id, cardId: card.id, by: owner.username })
    expect(await own.next()).toEqual(seen)
  })

  test('events arrive in order with card id and member, but a change of the box names neither', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const params = { watchlistId: watchlist.id }
    const stream = await listen(watchlist, ben)

    const card = await aCard(theApp(), { inside: watchlist, by: ben })
    await callOk(theApp(), ENDPOINTS.revealRandomCard, owner, { params })
    await callOk(theApp(), ENDPOINTS.moveCard, ben, {
      params: { ...params, cardId: card.id },
      body: { status: 'SUGGESTED' },
    })
    const open = await aCard(theApp(), { inside: watchlist, by: owner, status: 'WATCHED' })
    await callOk(theApp(), ENDPOINTS.saveViewing, ben, { params: { ...params, cardId: open.id }, body: {} })
    await callOk(theApp(), ENDPOINTS.updateWatchlist, ben, { params, body: { name: 'New' } })

    const told = []
    for (let n = 0; n < 9; n += 1) told.push(await stream.next())
    const here = { watchlistId: watchlist.id }
    expect(told).toEqual([
      { ...here, kind: 'box-changed' },
      { ...here, kind: 'card-revealed', cardId: card.id, by: 'ana' },
      { ...here, kind: 'box-changed' },
      { ...here, kind: 'card-changed', cardId: card.id, by: 'ben' },
      { ...here, kind: 'box-changed' },
      { ...here, kind: 'card-revealed', cardId: open.id, by: 'ana' },
      { ...here, kind: 'card-changed', cardId: open.id, by: 'ana' },
      { ...here, kind: 'viewings-changed', cardId: open.id, by: 'ben' },
      { ...here, kind: 'watchlist-changed', by: 'ben' },
    ])
  })

  test('a rejected change sends no event', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const params = { watchlistId: watchlist.id }
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'WATCHED' })
    const stream = await listen(watchlist, owner)

    await call(theApp(), ENDPOINTS.revealRandomCard, owner, { params })
    await call(theApp(), ENDPOINTS.moveCard, owner, {
      params: { ...params, cardId: card.id },
      body: { status: 'REJECTED' },
    })
    await callOk(theApp(), ENDPOINTS.updateWatchlist, owner, { params, body: { name: 'The first that changes' } })

    expect((await stream.next()).kind).toBe('watchlist-changed')
  })

  test('a stream reports to members, but not to other readers, how long it has been quiet', async () => {
    const [ben, carl] = [aUser('ben'), aUser('carl')]
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const quiet = ({ answer: { headers } }: OpenStream) => headers['marquee-quiet-ms']
    await callOk(theApp(), ENDPOINTS.updateWatchlist, owner, {
      params: { watchlistId: watchlist.id },
      body: { name: 'New' },
    })
    await pause(50)

    const member = Number(quiet(await listen(watchlist, ben)))
    const own = Number(quiet(await open('/notifications/events', testToken(carl))))

    expect(member).toBeGreaterThan(40)
    expect(own).toBeGreaterThan(member)
    expect(quiet(await listen(watchlist, carl))).toBeUndefined()
  })

  test('a reader who is not a member gets no events about the box or about who has seen a movie', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const stranger = await listen(watchlist, aUser('eve'))

    await aCard(theApp(), { inside: watchlist, by: owner })
    const params = { watchlistId: watchlist.id }
    const { id: cardId } = await callOk(theApp(), ENDPOINTS.revealRandomCard, owner, { params })
    await callOk(theApp(), ENDPOINTS.saveViewing, owner, { params: { ...params, cardId }, body: {} })
    await callOk(theApp(), ENDPOINTS.updateWatchlist, owner, {
      params,
      body: { name: 'New' },
    })

    expect([(await stranger.next()).kind, (await stranger.next()).kind]).toEqual(['card-revealed', 'watchlist-changed'])
  })

  // Evidence: asvs-8.2.1
  test('changes of other watchlists send no events to a stream', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const { watchlist: other } = await aWatchlist(theApp(), { owner })
    const stream = await listen(watchlist, owner)

    await aCard(theApp(), { inside: other, by: owner })
    await aCard(theApp(), { inside: watchlist, by: owner })

    expect((await stream.next()).watchlistId).toBe(watchlist.id)
  })

  describe('a stream is refused', () => {
    test.each([
      ['to a watchlist that does not exist', 404, async () => ({ id: await Promise.resolve('none') })],
      [
        'to a private watchlist of others',
        404,
        async () => (await aWatchlist(theApp(), { isPrivate: true })).watchlist,
      ],
    ])('a stream %s is refused', async (_what, status, watchlist) => {
      const answer = await send(aUser(), 'GET', `/watchlists/${(await watchlist()).id}/events`)

      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ type: 'NOT_FOUND' })
    })

    test('a stream is refused without a token', async () => {
      const { watchlist } = await aWatchlist(theApp())

      const answers = [
        await fetch(`${origin}/api/watchlists/${watchlist.id}/events`),
        await fetch(`${origin}/api/notifications/events`),
      ]

      expect(answers.map(({ status }) => status)).toEqual([401, 401])
    })
  })

  describe('a stream ends', () => {
    test('a stream ends when its token expires', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())

      const stream = await listen(watchlist, owner, String(epochSeconds(systemClock) + 2))
      await stream.ended

      expect(stream.status).toBe(200)
    })

    test('the stream of a non-member ends when the watchlist becomes private, and that of a member stays open', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const [inside, outside] = [await listen(watchlist, owner), await listen(watchlist, aUser('eve'))]

      const privacy = await send(owner, 'PUT', `/watchlists/${watchlist.id}/privacy`, { isPrivate: true })
      await outside.ended

      expect(privacy.status).toBe(200)
      await expect(outside.next()).rejects.toThrow('The stream ended')
      expect((await inside.next()).kind).toBe('watchlist-changed')
      await aCard(theApp(), { inside: watchlist, by: owner })
      expect((await inside.next()).kind).toBe('box-changed')
    })

    test('the stream of a member of a private watchlist ends when the member is removed', async () => {
      const ben = aUser('ben')
      const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben], isPrivate: true })
      const [his, hers] = [await listen(watchlist, ben), await listen(watchlist, owner)]

      const removal = await send(owner, 'DELETE', `/watchlists/${watchlist.id}/members/ben`)
      await his.ended

      expect(removal.status).toBe(204)
      expect((await hers.next()).kind).toBe('members-changed')
    })

    test('a stream ends with an event when the watchlist is deleted', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const stream = await listen(watchlist, owner)

      const deletion = await send(owner, 'DELETE', `/watchlists/${watchlist.id}`)

      expect(deletion.status).toBe(204)
      expect((await stream.next()).kind).toBe('watchlist-deleted')
      await stream.ended
    })

    test('a closing server ends its streams and does not wait for their readers', async () => {
      const closing = await startApp(theDatabase())
      const url = await closing.app.listen({ host: '127.0.0.1', port: 0 })
      const { watchlist, owner } = await aWatchlist(theApp())
      const stream = await openStream(`${url}/api/watchlists/${watchlist.id}/events`, testToken(owner))

      await closing.stop()
      await stream.ended

      expect(stream.answer.complete).toBe(true)
    })
  })

  test('an open stream does not keep its request or its reply in memory', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const kept: WeakRef<object>[] = []
    const note = (request: IncomingMessage, response: ServerResponse): void => {
      kept.push(new WeakRef(request), new WeakRef(response), new WeakRef(request.socket))
    }
    theApp().app.server.prependOnceListener('request', note)
    const stream = await listen(watchlist, owner)

    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    await expect
      .poll(() => {
        collectGarbage()
        return kept.map((reference) => reference.deref() !== undefined)
      })
      .toEqual([false, false, false])

    await send(owner, 'PUT', `/watchlists/${watchlist.id}`, { name: 'New' })
    expect((await stream.next()).kind).toBe('watchlist-changed')
  })

  test('the stream of a member ends when they leave, and a new one to a public watchlist has no box events', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const before = await listen(watchlist, ben)

    await send(ben, 'DELETE', `/watchlists/${watchlist.id}/members/ben`)
    await before.ended
    const after = await listen(watchlist, ben)
    await aCard(theApp(), { inside: watchlist, by: owner })
    await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })

    expect((await before.next()).kind).toBe('members-changed')
    expect((await after.next()).kind).toBe('card-revealed')
  })

  test('a user can open no more streams than allowed until one is closed', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    for (let n = 0; n < STREAMS_PER_USER; n += 1) await listen(watchlist, owner)

    const refused = await send(owner, 'GET', `/watchlists/${watchlist.id}/events`)
    const other = await listen(watchlist, aUser('ben'))
    streams[0]?.leave()

    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({ type: 'TOO_MANY_REQUESTS' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(other.status).toBe(200)
    await expect.poll(async () => (await listen(watchlist, owner)).status).toBe(200)
  })
})
