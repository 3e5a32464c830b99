import { createHash, createHmac } from 'node:crypto'

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { DrawFilter, DrawReceipt } from '@marquee/contract/entities/draw'
import { checkReceipt, isCheckable } from '@marquee/contract/rules/check-receipt'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../migrations/index.ts'
import { call, type Caller, callOk } from '../../testing/call.ts'
import { type CatalogueStandIn, startCatalogueStandIn } from '../../testing/catalogue/stand-in.ts'
import { aUser, aWatchlist } from '../../testing/make.ts'
import { aMediaServer, MEDIA_HERE } from '../../testing/media/a-media-server.ts'
import { NO_MEDIA_SERVERS } from '../../testing/media-servers.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import type { WatchlistTables } from '../club/watchlists/store.ts'
import type { CardTables } from '../movies/cards/card/store.ts'
import type { BoxOfferTables } from '../movies/availability/box-offer-store.ts'

const SEED = '5e'.repeat(32)
const WAIT = { timeout: 60_000, interval: 50 }
const ALIEN = '348'
const ALIENS = '679'
const STALKER = '1398'
const NETFLIX = 8
const NOTHING = 'No movie in the box can be watched tonight'
const AT_NIGHT = 'watchable: What can be watched tonight is drawn at the open movie night'
const SECRET = 'watchable: How many movies can be watched tonight stays secret until you draw'

const hashing = {
  sha256: async (data: string | Uint8Array) => await Promise.resolve(createHash('sha256').update(data).digest('hex')),
  hmac: async (key: Uint8Array, message: Uint8Array) =>
    await Promise.resolve(createHmac('sha256', key).update(message).digest()),
}

/** The steps of the check that fail. */
async function wrongSteps(receipt: DrawReceipt): Promise<string[]> {
  if (!isCheckable(receipt)) return ['not checkable']
  return (await checkReceipt(receipt, hashing)).filter(({ isRight }) => !isRight).map(({ step }) => step)
}

eachStatement({ product: productMigrations }, (theDatabase) => {
  let standIn: CatalogueStandIn
  let started: TestApp & { stop: () => Promise<void> }
  let [ana, ben] = [aUser('ana'), aUser('ben')]
  let params: { watchlistId: string }
  let nightId: string

  beforeAll(async () => {
    standIn = await startCatalogueStandIn()
    started = await startApp(theDatabase(), { mediaServers: { ...NO_MEDIA_SERVERS, reach: MEDIA_HERE } })
  })
  afterAll(async () => {
    await started.stop()
    await standIn.stop()
  })
  /** A club at its night. Ana is there, Ben is not. */
  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(started, { owner: ana, members: [ben] })
    params = { watchlistId: watchlist.id }
    ;({ id: nightId } = await callOk(started, ENDPOINTS.openNight, ana, { params }))
  })

  const add = async (title: string, tmdb: string, movie: object = {}, by: Caller = ana) => {
    const body = { title, movie: { ids: { tmdb }, ...movie }, image: 'https://example.org/a.jpg' }
    return (await callOk(started, ENDPOINTS.addCard, by, { params, body })).id
  }
  /** Connects a server that has movies with these ids. */
  const connect = async (...tmdbIds: string[]) => {
    const films = tmdbIds.map((tmdb) => ({ title: `Film ${tmdb}`, year: 1979, tmdb }))
    const { url, state } = await aMediaServer('jellyfin', { films })
    await callOk(started, ENDPOINTS.connectMediaServer, ana, {
      params,
      body: { kind: 'jellyfin', url, token: state.key },
    })
    await vi.waitFor(async () => {
      const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params })
      expect(servers.map((one) => one.state)).toEqual(['ready'])
    }, WAIT)
  }
  const prepare = async (filter: DrawFilter = {}, by: Caller = ana, more: object = { nightId }) =>
    await call(started, ENDPOINTS.prepareDraw, by, {
      params,
      body: { filter: { watchable: true, ...filter }, ...more },
    })
  const prepareOk = async (filter: DrawFilter = {}, more: object = { nightId }) => {
    const { status, body } = await prepare(filter, ana, more)
    expect(status).toBe(201)
    return body.drawNumber
  }
  const reveal = async (drawNumber: number) =>
    await call(started, ENDPOINTS.revealDraw, ana, {
      params: { ...params, drawNumber: String(drawNumber) },
      body: { seeds: [SEED] },
    })
  const receiptOf = async (drawNumber: number, by: Caller = ana) =>
    await callOk(started, ENDPOINTS.getDraw, by, { params: { ...params, drawNumber: String(drawNumber) } })
  const boxCount = async () => (await callOk(started, ENDPOINTS.countSuggestedCards, ana, { params })).count

  test('a watchable draw picks only movies on a media server, and its receipt can be checked', async () => {
    const alien = await add('Alien', ALIEN)
    for (const [n, title] of ['Stalker', 'Solaris', 'Mirror', 'Nostalghia'].entries()) await add(title, `90${n}`)
    await connect(ALIEN, ALIENS)

    const { status, body } = await reveal(await prepareOk())

    expect(status).toBe(200)
    expect(body.cards.map(({ id }) => id)).toEqual([alien])
    expect(body.receipt).toMatchObject({
      filter: { watchable: true },
      eligible: 1,
      isBand: false,
      picked: [{ odds: 1 }],
    })
    expect(await wrongSteps(body.receipt)).toEqual([])
  })

  test('a watchable draw obeys the other filters, and names no people', async () => {
    await callOk(started, ENDPOINTS.setDrawRule, ana, { params, body: { rule: 'people', rest: 0 } })
    await add('Alien', ALIEN, { runtimeMinutes: 117, genres: ['Horror'] })
    const aliens = await add('Aliens', ALIENS, { runtimeMinutes: 137, genres: ['Action'] }, ben)
    await connect(ALIEN, ALIENS)

    const { body } = await reveal(await prepareOk({ withoutGenres: ['horror'] }))

    expect(body.cards.map(({ id }) => id)).toEqual([aliens])
    expect(body.receipt.table?.people.map(({ username }) => username)).toEqual([null])
    expect(await wrongSteps(body.receipt)).toEqual([])
  })

  test('a movie is found by title and year if the media server has no id for it', async () => {
    const ran = await add('Ran', '11645', { year: 1985 })
    await add('Run', '7', { year: 1985 })
    const { url, state } = await aMediaServer('plex', { films: [{ title: 'Ran', year: 1985 }] })
    await callOk(started, ENDPOINTS.connectMediaServer, ana, { params, body: { kind: 'plex', url, token: state.key } })
    await vi.waitFor(async () => {
      const { servers } = await callOk(started, ENDPOINTS.listMediaServers, ana, { params })
      expect(servers.map((one) => one.state)).toEqual(['ready'])
    }, WAIT)

    const { body } = await reveal(await prepareOk())

    expect(body.cards.map(({ id }) => id)).toEqual([ran])
  })

  test.each(['some movies', 'no movie'])('no call shows before the reveal whether %s can be watched', async (which) => {
    await add('Alien', ALIEN)
    await connect(which === 'no movie' ? STALKER : ALIEN)
    const query = { filter: JSON.stringify({ watchable: true }) }

    const odds = await call(started, ENDPOINTS.getDrawOdds, ana, { params, query })
    const { status, body } = await prepare()
    const receipt = await receiptOf(1, ben)
    const { draws } = await callOk(started, ENDPOINTS.listDraws, ben, { params })

    expect([odds.status, odds.body]).toEqual([400, { type: 'BAD_REQUEST', message: SECRET }])
    const commitment = expect.stringMatching(/^[\da-f]{64}$/u) as string
    expect([status, body]).toEqual([201, { drawNumber: 1, commitment, eligible: null, isBand: false }])
    expect(receipt).toMatchObject({ status: 'prepared', eligible: null, isBand: false, table: null })
    expect(draws).toMatchObject([{ status: 'prepared', eligible: null, isBand: false }])
  })

  test('a draw that finds nothing watchable says so at each reveal and leaves the box unchanged', async () => {
    await add('Alien', ALIEN)
    await connect(STALKER)
    const drawNumber = await prepareOk()

    const { status, body } = await reveal(drawNumber)

    expect([status, body]).toEqual([409, { type: 'CONFLICT', message: NOTHING }])
    expect(await reveal(drawNumber)).toMatchObject({ status: 409, body: { message: NOTHING } })
    const receipt = await receiptOf(drawNumber, ben)
    expect(receipt).toMatchObject({ status: 'revealed', eligible: 0, picked: [], by: 'ana', nightId })
    expect(receipt.table?.people).toEqual([])
    expect(await wrongSteps(receipt)).toEqual([])
    expect(await boxCount()).toBe(1)
  })

  test('a draw that finds nothing opens no vote', async () => {
    await add('Alien', ALIEN)
    await connect(STALKER)
    const drawNumber = await prepareOk({}, { nightId, picks: 3 })

    const { status, body } = await call(started, ENDPOINTS.openVote, ana, {
      params: { nightId },
      body: { drawNumber, seeds: [SEED] },
    })

    expect([status, body]).toEqual([409, { type: 'CONFLICT', message: NOTHING }])
    expect((await callOk(started, ENDPOINTS.findVote, ana, { params: { nightId } })).vote).toBeNull()
    expect(await receiptOf(drawNumber)).toMatchObject({ status: 'revealed', eligible: 0 })
  })

  test('a draw that finds nothing does not end the rest of a card', async () => {
    await callOk(started, ENDPOINTS.setDrawRule, ana, { params, body: { rule: 'cards', rest: 1 } })
    const alien = await add('Alien', ALIEN)
    const stalker = await add('Stalker', STALKER)
    await connect('1')
    const revealAny = async () => {
      const { drawNumber } = await callOk(started, ENDPOINTS.prepareDraw, ana, { params, body: {} })
      return (await reveal(drawNumber)).body.cards[0]?.id ?? ''
    }
    const first = await revealAny()
    await callOk(started, ENDPOINTS.moveCard, ana, {
      params: { ...params, cardId: first },
      body: { status: 'SUGGESTED' },
    })

    await reveal(await prepareOk())

    expect(await revealAny()).toBe(first === alien ? stalker : alien)
  })

  test('resting cards take part if no other card can be watched', async () => {
    await callOk(started, ENDPOINTS.setDrawRule, ana, { params, body: { rule: 'cards', rest: 1 } })
    const alien = await add('Alien', ALIEN)
    await connect(ALIEN)
    await reveal(await prepareOk())
    await callOk(started, ENDPOINTS.moveCard, ana, {
      params: { ...params, cardId: alien },
      body: { status: 'SUGGESTED' },
    })
    await add('Stalker', STALKER)

    const { body } = await reveal(await prepareOk())

    expect(body.cards.map(({ id }) => id)).toEqual([alien])
  })

  test('only members at the open night can make a watchable draw, and only for that night', async () => {
    await add('Alien', ALIEN)
    await connect(ALIEN)

    const [elsewhere, absent] = [await prepare({}, ana, {}), await prepare({}, ben)]
    await callOk(started, ENDPOINTS.arriveAtNight, ben, { params: { nightId, ...params } })
    const present = await prepare({}, ben)
    await callOk(started, ENDPOINTS.endNight, ana, { params: { nightId } })
    const over = await prepare()

    expect([elsewhere, absent].map(({ status, body }) => [status, body])).toEqual([
      [400, { type: 'BAD_REQUEST', message: AT_NIGHT }],
      [400, { type: 'BAD_REQUEST', message: AT_NIGHT }],
    ])
    expect([present.status, over.status]).toEqual([201, 400])
  })

  test('a draw from more than 2,000 watchable movies has a table of 2,000 of them', async () => {
    const cardId = await add('Alien', ALIEN)
    await connect(ALIEN)
    const database = theDatabase().withTables<CardTables>()
    await database.transaction(async (trx) => {
      const card = await trx.selectFrom('card').selectAll().where('id', '=', cardId).executeTakeFirstOrThrow()
      for (let from = 1; from <= 2_100; from += 50) {
        const rows = Array.from({ length: 50 }, (_, n) => ({ ...card, id: `c${from + n}`, selection_index: from + n }))
        await trx.insertInto('card').values(rows).execute()
      }
    })
    await theDatabase()
      .withTables<WatchlistTables>()
      .transaction(async (trx) => {
        await trx.updateTable('watchlist').set({ box_count: 2_101 }).where('id', '=', params.watchlistId).execute()
      })

    const { body } = await reveal(await prepareOk())

    expect(body.receipt.eligible).toBe(2_000)
    expect(body.receipt.table?.people[0]?.tickets).toHaveLength(2_000)
    expect(await wrongSteps(body.receipt)).toEqual([])
  })

  test('a movie on a streaming service of a member at the night is watchable once the service is known', async () => {
    const { TMDB_TOKEN: token = '', TMDB_URL: url = '' } = standIn.settings
    const settings = { watchProviders: { token, url } }
    const before = await startApp(theDatabase(), settings)
    await callOk(before, ENDPOINTS.setCountry, ana, { params, body: { country: 'DE' } })
    await callOk(before, ENDPOINTS.chooseServices, ben, { body: { services: [NETFLIX] } })
    const alien = await add('Alien', ALIEN)
    await add('Stalker', STALKER)
    await before.stop()
    // Looks for boxes when it starts.
    const after = await startApp(theDatabase(), settings)
    await vi.waitFor(async () => {
      const rows = await theDatabase()
        .withTables<BoxOfferTables>()
        .read.selectFrom('box_offer')
        .select('card_id')
        .execute()
      expect(rows.map(({ card_id: id }) => id)).toContain(alien)
    }, WAIT)
    const drawIn = async () => {
      const body = { filter: { watchable: true as const }, nightId }
      const { drawNumber } = await callOk(after, ENDPOINTS.prepareDraw, ana, { params, body })
      const input = { params: { ...params, drawNumber: String(drawNumber) }, body: { seeds: [SEED] } }
      return await call(after, ENDPOINTS.revealDraw, ana, input)
    }

    const without = await drawIn()
    await callOk(after, ENDPOINTS.arriveAtNight, ben, { params: { nightId, ...params } })
    const withBen = await drawIn()
    await after.stop()

    expect(without.body).toEqual({ type: 'CONFLICT', message: NOTHING })
    expect(withBen.body.cards.map(({ id }) => id)).toEqual([alien])
  })

  test('a watchable draw gets 404 without media servers and streaming services', async () => {
    const off = await startApp(theDatabase())
    await add('Alien', ALIEN)

    const body = { filter: { watchable: true as const }, nightId }
    const { status } = await call(off, ENDPOINTS.prepareDraw, ana, { params, body })
    await off.stop()

    expect(status).toBe(404)
  })
})
