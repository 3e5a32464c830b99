import { json } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { MovieRequestState } from '@marquee/contract/entities/movie-request'
import { MAX_OPEN_REQUESTS } from '@marquee/contract/limits'
import type { LiveEvent } from '@marquee/contract/live-events'
import { localEventBus } from '@marquee/platform/events/bus'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { aMediaServer, aSeerr, MEDIA_HERE } from '../../../testing/media/a-media-server.ts'
import type { SeerrStandIn } from '../../../testing/media/seerr.ts'
import type { Trouble } from '../../../testing/media/stand-in.ts'
import { NO_MEDIA_SERVERS } from '../../../testing/media-servers.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import type { MovieRequestTables, RequestRow } from './store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const WAIT = { timeout: 60_000, interval: 50 }

type Started = TestApp & { stop: () => Promise<void> }
type Place = { watchlistId: string }

eachStatement<MovieRequestTables>({ product: productMigrations }, (theDatabase) => {
  const ana = aUser('ana')
  const ben = aUser('ben')
  const clock = movableClock()
  const bus = localEventBus()
  const mediaServers = { ...NO_MEDIA_SERVERS, reach: MEDIA_HERE }
  let started: Started

  beforeAll(async () => {
    const webhookFetch = { ...MEDIA_HERE, allowAddress: () => true }
    started = await startApp(theDatabase().withTables(), { clock, bus, mediaServers, webhookFetch, allowGuests: true })
  })

  afterAll(async () => {
    await started.stop()
  })

  const aClub = async (members: Caller[] = [ben]) => {
    const { watchlist } = await aWatchlist(started, { owner: ana, members })
    return { watchlistId: watchlist.id }
  }

  const connect = async (params: Place, { url, state }: SeerrStandIn, askers: 'members' | 'owner' = 'members') =>
    await callOk(started, ENDPOINTS.connectRequestServer, ana, { params, body: { url, token: state.key, askers } })

  const serverOf = async (params: Place, by = ana) =>
    (await callOk(started, ENDPOINTS.getRequestServer, by, { params })).server

  const add = async (
    params: Place,
    {
      title = 'Alien',
      tmdb,
      inBox = false,
      by = ana,
    }: { title?: string; tmdb?: string; inBox?: boolean; by?: Caller } = {},
  ) => {
    const movie = tmdb === undefined ? undefined : { ids: { tmdb } }
    const body = { title, ...(movie && { movie }), image: 'https://example.org/a.jpg', revealImmediately: !inBox }
    return (await callOk(started, ENDPOINTS.addCard, by, { params, body })).id
  }

  /** A club with Seerr and a card of Alien. */
  const aScene = async () => {
    const params = await aClub()
    const seerr = await aSeerr()
    await connect(params, seerr)
    return { params, seerr, cardId: await add(params, { tmdb: '348' }) }
  }

  const ask = async (params: Place, cardId: string, by: Caller = ben) =>
    await call(started, ENDPOINTS.askForMovie, by, { params: { ...params, cardId } })

  const requestOf = async (params: Place, cardId: string, by: Caller = ben) => {
    const { cards } = await callOk(started, ENDPOINTS.listAvailability, by, { params, query: { cards: cardId } })
    return cards.find((card) => card.cardId === cardId)?.request ?? null
  }

  const untilState = async (params: Place, cardId: string, state: MovieRequestState | 'possible' | null) =>
    await vi.waitFor(async () => expect(await requestOf(params, cardId)).toBe(state), WAIT)

  const rowsOf = async ({ watchlistId }: Place) =>
    await theDatabase().read.selectFrom('movie_request').selectAll().where('watchlist_id', '=', watchlistId).execute()

  const serversOf = async ({ watchlistId }: Place) =>
    await theDatabase().read.selectFrom('request_server').selectAll().where('watchlist_id', '=', watchlistId).execute()

  const handOver = async (params: Place) =>
    await callOk(started, ENDPOINTS.handOverWatchlist, ana, { params, body: { username: ben.username } })

  const removeAna = async (params: Place, by: Caller) =>
    await callOk(started, ENDPOINTS.removeMember, by, { params: { ...params, username: ana.username } })

  const deleteAccountOfAna = async () => {
    await theDatabase().transaction(async (trx) => await removePersonAt(clock, systemRandom)(trx, ana.userId))
  }

  /** Until the queue has let go of the only request of a watchlist. */
  const untilRow = async (params: Place, row: Partial<RequestRow>) =>
    await vi.waitFor(async () => expect(await rowsOf(params)).toMatchObject([{ claimed_by: null, ...row }]), WAIT)
  const untilSent = async (params: Place) => {
    await untilRow(params, { sent_at: expect.any(String) as string })
  }

  /** Lets time pass, and has what is due looked at. */
  const later = async (ms: number) => {
    clock.moveAhead(ms)
    const params = await aClub([])
    const waker = await aSeerr()
    await connect(params, waker)
    await ask(params, await add(params, { tmdb: '1' }), ana)
  }

  const postsTo = (seerr: SeerrStandIn) => seerr.asked.filter(({ method }) => method === 'POST').length

  const kindsOf = async (by: Caller, { watchlistId }: Place) => {
    const { notifications } = await callOk(started, ENDPOINTS.listNotifications, by, { query: {} })
    return notifications.filter((one) => one.watchlistId === watchlistId).map(({ kind }) => kind)
  }

  /** A webhook of a watchlist that reports arrivals, and what it receives. */
  const aWebhook = async (params: Place) => {
    const received: unknown[] = []
    const { port } = await aWebServer((request, response) => {
      void json(request).then((body) => {
        received.push(body)
        response.writeHead(204).end()
      })
    })
    const body = { name: 'Chat', url: `http://chat.example:${port}/hook`, format: 'standard', kinds: ['movie.arrived'] }
    await callOk(started, ENDPOINTS.createWebhook, ana, { params, body })
    return received
  }

  describe('connecting Seerr', () => {
    test('the owner connects Seerr, and only the owner sees its host', async () => {
      const params = await aClub()
      const seerr = await aSeerr()

      const made = await connect(params, seerr, 'owner')

      const { host } = new URL(seerr.url)
      const expected = { askers: 'owner', fault: null, seenAt: made.seenAt, open: 0, host }
      expect(made).toEqual(expected)
      expect(await serverOf(params)).toEqual(expected)
      expect(await serverOf(params, ben)).toEqual({ ...expected, host: null })
    })

    test('a watchlist without a request server shows none, and its cards show no request', async () => {
      const params = await aClub()

      expect(await serverOf(params)).toBeNull()
      expect(await requestOf(params, await add(params, { tmdb: '348' }))).toBeNull()
    })

    test('a second request server is rejected', async () => {
      const { params, seerr } = await aScene()
      const body = { url: seerr.url, token: seerr.state.key }

      const { status, body: problem } = await call(started, ENDPOINTS.connectRequestServer, ana, { params, body })

      expect([status, problem.message]).toEqual([
        400,
        'This watchlist already has a server for requests: disconnect it first',
      ])
    })

    test.each<[Trouble, string, string]>([
      ['down', 'unreachable', 'No media server answers at this address'],
      ['html', 'other-server', 'There is no media server of this kind at this address'],
      ['other', 'other-server', 'There is no media server of this kind at this address'],
      ['redirect', 'redirect', 'The media server sends us to another address: enter that one'],
      ['broken', 'unreadable', 'The answer of the media server cannot be read'],
      ['error', 'unreachable', 'No media server answers at this address'],
    ])('a server with the trouble %s is not connected, and the owner sees why', async (trouble, fault, message) => {
      const params = await aClub()
      const seerr = await aSeerr()
      seerr.fail(trouble)

      const body = { url: seerr.url, token: seerr.state.key }
      const answer = await call(started, ENDPOINTS.connectRequestServer, ana, { params, body })

      expect(answer).toMatchObject({ status: 400, body: { message, fault } })
      expect(await serverOf(params)).toBeNull()
    })

    test('a wrong key and a forbidden address are rejected', async () => {
      const params = await aClub()
      const seerr = await aSeerr()
      const tryIt = async (url: string, token: string) =>
        (await call(started, ENDPOINTS.connectRequestServer, ana, { params, body: { url, token } })).body

      expect(await tryIt(seerr.url, 'wrong')).toMatchObject({ fault: 'key' })
      expect(await tryIt('http://elsewhere.test', 'key')).toMatchObject({ fault: 'address' })
    })

    test('the owner can change the key and who may ask', async () => {
      const { params, seerr } = await aScene()
      const change = async (body: object) => await call(started, ENDPOINTS.changeRequestServer, ana, { params, body })

      expect((await change({ askers: 'owner' })).body).toMatchObject({ askers: 'owner' })
      expect(await change({ token: 'wrong' })).toMatchObject({ status: 400, body: { fault: 'key' } })
      seerr.state.key = 'another-key'
      expect((await change({ token: 'another-key' })).status).toBe(200)
      expect(await serverOf(params)).toMatchObject({ askers: 'owner', fault: null })
    })

    test('disconnecting removes the key and all requests at once', async () => {
      const { params, cardId } = await aScene()
      await ask(params, cardId)
      await untilSent(params)

      await callOk(started, ENDPOINTS.deleteRequestServer, ana, { params })

      expect([...(await serversOf(params)), ...(await rowsOf(params))]).toEqual([])
      expect([await serverOf(params), await requestOf(params, cardId)]).toEqual([null, null])
      expect((await call(started, ENDPOINTS.deleteRequestServer, ana, { params })).status).toBe(404)
      expect((await ask(params, cardId)).status).toBe(404)
    })

    test.each<[string, (params: Place) => Promise<unknown>]>([
      ['leaves', async (params) => await removeAna(params, ana)],
      ['is removed', async (params) => await removeAna(params, ben)],
      ['deletes their account', deleteAccountOfAna],
    ])('the server is disconnected when the member who gave its key %s', async (_how, end) => {
      const { params, cardId } = await aScene()
      await ask(params, cardId)
      await untilSent(params)
      await handOver(params)

      expect(await serverOf(params, ben)).toMatchObject({ fault: null })
      await end(params)

      expect([...(await serversOf(params)), ...(await rowsOf(params))]).toEqual([])
      expect([await serverOf(params, ben), await requestOf(params, cardId)]).toEqual([null, null])
    })

    test('a server stays after its first owner is removed if the new owner has entered a key', async () => {
      const { params, seerr, cardId } = await aScene()
      await ask(params, cardId)
      await untilSent(params)
      await handOver(params)
      seerr.state.key = 'the-key-of-ben'
      await callOk(started, ENDPOINTS.changeRequestServer, ben, { params, body: { token: 'the-key-of-ben' } })

      await removeAna(params, ben)

      expect(await serverOf(params, ben)).toMatchObject({ fault: null, open: 1 })
      expect(await requestOf(params, cardId)).not.toBeNull()
    })

    test('a server does not stay if the new owner has changed only who may ask', async () => {
      const { params } = await aScene()
      await handOver(params)
      await callOk(started, ENDPOINTS.changeRequestServer, ben, { params, body: { askers: 'owner' } })

      await removeAna(params, ben)

      expect(await serverOf(params, ben)).toBeNull()
    })

    test('a server stays when a member who did not give its key leaves', async () => {
      const { params } = await aScene()

      await callOk(started, ENDPOINTS.removeMember, ben, { params: { ...params, username: ben.username } })

      expect(await serverOf(params)).toMatchObject({ fault: null })
    })

    test('deleting a watchlist deletes the key of its request server and all requests at once', async () => {
      const { params, cardId } = await aScene()
      await ask(params, cardId)

      await callOk(started, ENDPOINTS.deleteWatchlist, ana, { params })

      expect([...(await serversOf(params)), ...(await rowsOf(params))]).toEqual([])
    })

    test('all calls get 404 while media servers are switched off', async () => {
      const off = await startApp(theDatabase().withTables(), { clock })
      onTestFinished(off.stop)
      const { params, seerr, cardId } = await aScene()
      const body = { url: seerr.url, token: seerr.state.key }
      const statusOf = async (name: keyof typeof ENDPOINTS, more: object = {}) =>
        (await call(off, ENDPOINTS[name], ana, { params: { ...params, cardId }, ...more })).status

      expect(await statusOf('getRequestServer')).toBe(404)
      expect(await statusOf('connectRequestServer', { body })).toBe(404)
      expect(await statusOf('changeRequestServer', { body: { askers: 'owner' } })).toBe(404)
      expect(await statusOf('deleteRequestServer')).toBe(404)
      expect(await statusOf('askForMovie')).toBe(404)
    })
  })

  describe('asking for a movie', () => {
    test('a movie that a member asks for is sent to Seerr and shown to all members', async () => {
      const { params, seerr, cardId } = await aScene()
      expect(await requestOf(params, cardId)).toBe('possible')

      expect(await ask(params, cardId)).toMatchObject({ status: 200, body: { cardId, state: 'asked' } })

      await untilState(params, cardId, 'coming')
      expect(await requestOf(params, cardId, ana)).toBe('coming')
      expect(seerr.state.movies.get(348)?.requests).toEqual([{ id: 1, status: 2 }])
      expect(await serverOf(params)).toMatchObject({ open: 1, fault: null })
    })

    test('a movie is requested once, however often members ask for it', { tags: ['race'] }, async () => {
      const { params, seerr, cardId } = await aScene()
      const second = await add(params, { title: 'Alien again', tmdb: '348' })

      const answers = await Promise.all([ask(params, cardId), ask(params, cardId, ana), ask(params, cardId)])
      await untilState(params, cardId, 'coming')
      const more = [await ask(params, second), await ask(params, cardId, ana)]

      expect(answers.map(({ status, body }) => [status, body.cardId])).toEqual(
        Array.from({ length: 3 }, () => [200, cardId]),
      )
      expect(more.map(({ body }) => body)).toEqual([
        { cardId: second, state: 'coming' },
        { cardId, state: 'coming' },
      ])
      expect([postsTo(seerr), await rowsOf(params)]).toMatchObject([1, [{ tmdb_id: '348' }]])
    })

    test('a movie that was already requested in Seerr shows its state and is not requested again', async () => {
      const { params, seerr, cardId } = await aScene()
      seerr.state.movies.set(348, { status: 3, requests: [{ id: 9, status: 2 }] })

      await ask(params, cardId)

      await untilState(params, cardId, 'coming')
      expect(postsTo(seerr)).toBe(0)
    })

    test('only the owner can ask for movies if the owner has set that', async () => {
      const { params, cardId } = await aScene()
      await callOk(started, ENDPOINTS.changeRequestServer, ana, { params, body: { askers: 'owner' } })

      const refused = await ask(params, cardId)
      expect([refused.status, refused.body.message]).toEqual([403, 'In this watchlist, only the owner asks for movies'])
      expect([await requestOf(params, cardId), await requestOf(params, cardId, ana)]).toEqual([null, 'possible'])

      await ask(params, cardId, ana)
      await untilState(params, cardId, 'coming')
    })

    test('a movie without an id, or on a media server, cannot be asked for', async () => {
      const { params } = await aScene()
      const jellyfin = await aMediaServer('jellyfin', { films: [{ title: 'Ran', year: 1985, tmdb: '11645' }] })
      const body = { kind: 'jellyfin', url: jellyfin.url, token: jellyfin.state.key } as const
      await callOk(started, ENDPOINTS.connectMediaServer, ana, { params, body })
      const unknown = await add(params, { title: 'Home video' })
      const there = await add(params, { title: 'Ran', tmdb: '11645' })
      await untilState(params, there, null)

      expect((await ask(params, unknown)).body.message).toBe(
        'This movie has no id at The Movie Database, so it cannot be asked for',
      )
      expect((await ask(params, there)).body.message).toBe('This movie is already on a media server')
      expect(await requestOf(params, unknown)).toBeNull()
    })

    test('asking for a card in the box gets the same 404 as for a card that does not exist', async () => {
      const { params, seerr } = await aScene()
      const boxed = await add(params, { title: 'Heat', tmdb: '949', inBox: true, by: ben })

      const answers = [await ask(params, boxed), await ask(params, boxed, ana), await ask(params, 'none')]

      expect(answers.map(({ status, body }) => [status, body.type])).toEqual(
        Array.from({ length: 3 }, () => [404, 'NOT_FOUND']),
      )
      expect(await requestOf(params, boxed)).toBeNull()
      expect([postsTo(seerr), await rowsOf(params)]).toEqual([0, []])
    })

    test('guests and strangers see nothing of requests', async () => {
      const { params, cardId } = await aScene()
      await ask(params, cardId)
      const stranger = aUser('stranger')

      expect((await ask(params, cardId, stranger)).status).toBe(403)
      expect((await call(started, ENDPOINTS.getRequestServer, stranger, { params })).status).toBe(403)
      for (const by of [stranger, undefined]) {
        const { body } = await call(started, ENDPOINTS.listCards, by, { params })
        expect(JSON.stringify(body)).not.toContain('request')
      }
    })

    test('a watchlist can have at most 200 open requests', async () => {
      const { params, cardId } = await aScene()
      const { watchlistId: watchlist_id } = params
      const rows = Array.from({ length: MAX_OPEN_REQUESTS }, (_, n) => ({
        watchlist_id,
        tmdb_id: String(5000 + n),
        card_id: 'card',
        asker_id: 'user',
        state: 'coming' as const,
        sent_at: null,
        due_at: clock.now().getTime() + DAY_MS,
        attempts: 0,
        claimed_by: 'another process',
      }))
      await theDatabase().transaction(async (trx) => {
        await trx.insertInto('movie_request').values(rows).execute()
      })

      expect((await ask(params, cardId)).body.message).toBe('A watchlist cannot wait for more than 200 movies')
      await callOk(started, ENDPOINTS.deleteRequestServer, ana, { params })
    })
  })

  describe('following a request', () => {
    test('an arrived movie is announced once, and only to members who wait for it', async () => {
      const cleo = aUser('cleo')
      const params = await aClub([ben, cleo])
      const seerr = await aSeerr()
      await connect(params, seerr)
      const cardId = await add(params, { tmdb: '348', by: ana })
      const received = await aWebhook(params)
      await ask(params, cardId)
      await untilState(params, cardId, 'coming')

      seerr.state.movies.set(348, { status: 5, requests: [{ id: 1, status: 5 }] })
      await later(2 * MINUTE_MS)
      await untilState(params, cardId, 'here')

      await vi.waitFor(async () => expect(await kindsOf(ben, params)).toContain('arrived'), WAIT)
      expect(await kindsOf(ana, params)).toContain('arrived')
      expect(await kindsOf(cleo, params)).not.toContain('arrived')
      expect(await rowsOf(params)).toMatchObject([{ state: 'here', due_at: null, claimed_by: null }])

      await vi.waitFor(
        () =>
          expect(received).toMatchObject([
            { type: 'movie.arrived', data: { by: null, card: { id: cardId, title: 'Alien', status: 'REVEALED' } } },
          ]),
        WAIT,
      )

      const asked = seerr.asked.length
      await later(DAY_MS)
      expect(seerr.asked).toHaveLength(asked)
      expect((await kindsOf(ben, params)).filter((kind) => kind === 'arrived')).toHaveLength(1)
      expect(await serverOf(params)).toMatchObject({ open: 0 })
    })

    test('a card shows that its movie waits for approval, was declined or has failed', async () => {
      const { params, seerr, cardId } = await aScene()
      seerr.state.needsApproval = true
      await ask(params, cardId)
      await untilSent(params)
      expect(await requestOf(params, cardId)).toBe('asked')

      seerr.state.movies.set(348, { status: 1, requests: [{ id: 1, status: 4 }] })
      await later(2 * MINUTE_MS)
      await untilState(params, cardId, 'failed')

      seerr.state.movies.set(348, { status: 4, requests: [{ id: 1, status: 2 }] })
      await later(2 * MINUTE_MS)
      await untilState(params, cardId, 'partly')

      seerr.state.movies.set(348, { status: 1, requests: [{ id: 1, status: 3 }] })
      await later(2 * MINUTE_MS)
      await untilState(params, cardId, 'declined')

      expect(await ask(params, cardId)).toMatchObject({ status: 200, body: { state: 'declined' } })
      expect(postsTo(seerr)).toBe(1)
      expect(await kindsOf(ben, params)).not.toContain('arrived')
    })

    test('a movie on the blocklist of Seerr is declined and not looked up again', async () => {
      const { params, seerr, cardId } = await aScene()
      seerr.state.blocked.add(348)

      await ask(params, cardId)

      await untilState(params, cardId, 'declined')
      expect(await rowsOf(params)).toMatchObject([{ state: 'declined', due_at: null }])
    })

    test('a movie whose request was removed in Seerr can be asked for again', async () => {
      const { params, seerr, cardId } = await aScene()
      await ask(params, cardId)
      await untilState(params, cardId, 'coming')

      seerr.state.movies.delete(348)
      await later(2 * MINUTE_MS)
      await untilState(params, cardId, 'possible')

      await ask(params, cardId)
      await untilState(params, cardId, 'coming')
      expect(postsTo(seerr)).toBe(2)
    })

    test('requests survive an outage, which is logged once', async () => {
      const { params, seerr, cardId } = await aScene()
      const second = await add(params, { title: 'Ran', tmdb: '11645' })
      seerr.fail('down')

      expect((await ask(params, cardId)).status).toBe(200)
      expect((await ask(params, second)).status).toBe(200)
      await vi.waitFor(
        async () => expect(await serverOf(params)).toMatchObject({ fault: 'unreachable', open: 2 }),
        WAIT,
      )
      expect([await requestOf(params, cardId), await requestOf(params, second)]).toEqual(['asked', 'asked'])
      await later(2 * MINUTE_MS)
      const lines = started.logged().split('\n')
      const told = lines.filter((line) => line.includes('cannot be asked') && line.includes(params.watchlistId))
      expect(told).toHaveLength(1)

      seerr.fail(undefined)
      await later(2 * 60 * MINUTE_MS)
      await untilState(params, cardId, 'coming')
      await untilState(params, second, 'coming')
      expect(postsTo(seerr)).toBe(2)
      expect(await serverOf(params)).toMatchObject({ fault: null })
    })

    test.each<[Trouble, string]>([
      ['html', 'other-server'],
      ['redirect', 'redirect'],
      ['other', 'other-server'],
      ['broken', 'unreadable'],
      ['locked', 'key'],
    ])('a server that gets the trouble %s has the fault %s, and keeps its requests', async (trouble, fault) => {
      const { params, seerr, cardId } = await aScene()
      seerr.fail(trouble)

      await ask(params, cardId)

      await vi.waitFor(async () => expect(await serverOf(params)).toMatchObject({ fault, open: 1 }), WAIT)
      expect(await requestOf(params, cardId)).toBe('asked')
    })

    test('waiting requests are sent once the owner enters a new key', async () => {
      const { params, seerr, cardId } = await aScene()
      seerr.state.key = 'another-key'
      await ask(params, cardId)
      await vi.waitFor(async () => expect(await serverOf(params)).toMatchObject({ fault: 'key' }), WAIT)
      await untilRow(params, { sent_at: null })

      const body = { token: 'another-key' }
      await callOk(started, ENDPOINTS.changeRequestServer, ana, { params, body })

      await untilState(params, cardId, 'coming')
    })

    test('a movie that Seerr does not know does not delay others, and fails in the end', async () => {
      const { params, seerr } = await aScene()
      seerr.state.unknown.add(404)
      const unknown = await add(params, { title: 'Nothing', tmdb: '404' })
      const known = await add(params, { title: 'Ran', tmdb: '11645' })

      await ask(params, unknown)
      await ask(params, known)
      await untilState(params, known, 'coming')
      expect(await serverOf(params)).toMatchObject({ fault: null })
      expect(await requestOf(params, unknown)).toBe('asked')

      await theDatabase().transaction(async (trx) => {
        const mine = trx.updateTable('movie_request').set({ attempts: 30 }).where('tmdb_id', '=', '404')
        await mine.where('watchlist_id', '=', params.watchlistId).execute()
      })
      await later(60 * MINUTE_MS)
      await untilState(params, unknown, 'failed')
    })

    test('a movie that arrives while its card is in the box is not announced, nor named in a live event', async () => {
      const { params, seerr, cardId } = await aScene()
      await ask(params, cardId)
      await untilState(params, cardId, 'coming')
      await callOk(started, ENDPOINTS.moveCard, ana, { params: { ...params, cardId }, body: { status: 'SUGGESTED' } })
      const heard: LiveEvent[] = []
      const leave = bus.subscribe(`watchlist:${params.watchlistId}`, (event) =>
        heard.push(JSON.parse(event) as LiveEvent),
      )
      onTestFinished(leave)

      seerr.state.movies.set(348, { status: 5, requests: [] })
      await later(2 * MINUTE_MS)
      await untilRow(params, { state: 'here' })
      // The events of a card of the feed come later.
      const other = await add(params, { title: 'Ran', tmdb: '11645' })
      await ask(params, other)
      await untilState(params, other, 'coming')

      expect(heard).toContainEqual(expect.objectContaining({ kind: 'requests-changed', cardId: other }))
      expect(heard).not.toContainEqual(expect.objectContaining({ cardId }))
      expect(await requestOf(params, cardId)).toBeNull()
      expect(await kindsOf(ben, params)).not.toContain('arrived')
    })

    test('another process takes over the request of a dead one, and does not send it twice', async () => {
      const { params, seerr, cardId } = await aScene()
      seerr.state.movies.set(348, { status: 3, requests: [{ id: 1, status: 2 }] })
      await theDatabase().transaction(async (trx) => {
        await trx
          .insertInto('movie_request')
          .values({
            watchlist_id: params.watchlistId,
            tmdb_id: '348',
            card_id: cardId,
            asker_id: ben.userId,
            state: 'asked',
            sent_at: null,
            due_at: clock.now().getTime() + MINUTE_MS,
            attempts: 1,
            claimed_by: 'a dead process',
          })
          .execute()
      })

      await later(5 * MINUTE_MS)

      await untilState(params, cardId, 'coming')
      expect(postsTo(seerr)).toBe(0)
    })

    test('media servers are read again when a movie arrives', async () => {
      const { params, seerr, cardId } = await aScene()
      const jellyfin = await aMediaServer('jellyfin', { films: [] })
      const body = { kind: 'jellyfin', url: jellyfin.url, token: jellyfin.state.key } as const
      await callOk(started, ENDPOINTS.connectMediaServer, ana, { params, body })
      await ask(params, cardId)
      await untilState(params, cardId, 'coming')
      await vi.waitFor(async () => {
        const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params })
        expect(servers).toMatchObject([{ state: 'ready' }])
      }, WAIT)

      jellyfin.state.library = { count: 1, film: () => ({ title: 'Alien', year: 1979, tmdb: '348' }) }
      seerr.state.movies.set(348, { status: 5, requests: [] })
      await later(2 * MINUTE_MS)

      await vi.waitFor(async () => {
        const query = { cards: cardId }
        const { cards } = await callOk(started, ENDPOINTS.listAvailability, ben, { params, query })
        expect(cards).toMatchObject([{ request: null, servers: [{ name: 'Jellyfin at home' }] }])
      }, WAIT)
    })
  })
})
