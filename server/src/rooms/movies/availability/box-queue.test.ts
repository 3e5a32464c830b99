import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { type CatalogueStandIn, startCatalogueStandIn } from '../../../testing/catalogue/stand-in.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import type { BoxOfferTables } from './box-offer-store.ts'

const WAIT = { timeout: 60_000, interval: 50 }
const DAY_MS = 24 * 60 * 60_000
const ALIEN = '348'
const ALIENS = '679'
const BLADE_RUNNER = '78'
const OFFERS_OF = (id: string) => `/tmdb/3/movie/${id}/watch/providers`

eachStatement({ product: productMigrations }, (theDatabase) => {
  const ana = aUser('ana')
  const clock = movableClock()
  let standIn: CatalogueStandIn

  beforeAll(async () => {
    standIn = await startCatalogueStandIn()
  })
  afterAll(async () => {
    await standIn.stop()
  })

  /** An app, whose queue looks for boxes when it starts. */
  const start = async (isOn = true): Promise<TestApp & { stop: () => Promise<void> }> => {
    const { TMDB_TOKEN: token = '', TMDB_URL: url = '' } = standIn.settings
    const started = await startApp(theDatabase(), { clock, ...(isOn && { watchProviders: { token, url } }) })
    onTestFinished(started.stop)
    return started
  }
  /** Stops an app whose queue may have read the box before all cards were in it. The next app finds that old. */
  const stopBefore = async (first: { stop: () => Promise<void> }) => {
    await first.stop()
    clock.moveAhead(DAY_MS + 1)
  }
  const aClub = async (started: TestApp) => {
    const { watchlist } = await aWatchlist(started, { owner: ana })
    const params = { watchlistId: watchlist.id }
    await callOk(started, ENDPOINTS.setCountry, ana, { params, body: { country: 'DE' } })
    return params
  }
  const add = async (started: TestApp, params: { watchlistId: string }, tmdb: string | undefined, by: Caller = ana) => {
    const movie = { ids: tmdb === undefined ? {} : { tmdb } }
    const body = { title: `Film ${tmdb}`, movie, image: 'https://example.org/a.jpg' }
    return (await callOk(started, ENDPOINTS.addCard, by, { params, body })).id
  }
  const forgetAll = async () => {
    await theDatabase()
      .withTables<BoxOfferTables>()
      .transaction(async (trx) => {
        await trx.deleteFrom('box_offer').execute()
        await trx.deleteFrom('box_reading').execute()
      })
  }
  const rowsOf = async (table: 'box_offer' | 'box_reading', watchlistId: string) =>
    await theDatabase()
      .withTables<BoxOfferTables>()
      .read.selectFrom(table)
      .selectAll()
      .where('watchlist_id', '=', watchlistId)
      .execute()
  const known = async ({ watchlistId }: { watchlistId: string }) =>
    Object.fromEntries(
      ((await rowsOf('box_offer', watchlistId)) as BoxOfferTables['box_offer'][]).map((row) => [
        row.card_id,
        JSON.parse(row.services) as unknown,
      ]),
    )

  test('services for cards in the box are looked up daily in the background, never by a call', async () => {
    const first = await start()
    const params = await aClub(first)
    const [alien, aliens] = [await add(first, params, ALIEN), await add(first, params, ALIENS)]
    await add(first, params, undefined)
    await stopBefore(first)
    const before = standIn.asked().length
    const started = await start()

    await vi.waitFor(async () => expect(await known(params)).toEqual({ [alien]: [8, 11], [aliens]: [] }), WAIT)
    expect(standIn.asked().slice(before).toSorted()).toEqual([OFFERS_OF(ALIEN), OFFERS_OF(ALIENS)])
    const query = { cards: [alien, aliens].join(',') }
    expect((await callOk(started, ENDPOINTS.listAvailability, ana, { params, query })).cards).toEqual([])
    await callOk(started, ENDPOINTS.listLibrary, ana, { params, query: { watchable: 'yes' } })
    expect(standIn.asked().slice(before)).toHaveLength(2)
    await started.stop()
    clock.moveAhead(DAY_MS + 1)
    await start()
    await vi.waitFor(() => expect(standIn.asked().slice(before)).toHaveLength(4), WAIT)
  })

  test('a movie on two cards in the box is looked up once', async () => {
    const first = await start()
    const params = await aClub(first)
    const cards = [await add(first, params, BLADE_RUNNER), await add(first, params, BLADE_RUNNER)]
    await stopBefore(first)
    const before = standIn.asked().length
    await start()

    await vi.waitFor(async () => expect(Object.keys(await known(params)).toSorted()).toEqual(cards.toSorted()), WAIT)
    expect(
      standIn
        .asked()
        .slice(before)
        .filter((path) => path === OFFERS_OF(BLADE_RUNNER)),
    ).toHaveLength(1)
  })

  test('the stored services of a card are deleted with the card, or after it has left the box', async () => {
    const first = await start()
    const params = await aClub(first)
    const [alien, aliens] = [await add(first, params, ALIEN), await add(first, params, ALIENS)]
    await stopBefore(first)
    const started = await start()
    await vi.waitFor(async () => expect(Object.keys(await known(params))).toHaveLength(2), WAIT)

    await callOk(started, ENDPOINTS.deleteCard, ana, { params: { ...params, cardId: alien } })
    expect(await known(params)).toEqual({ [aliens]: [] })
    await callOk(started, ENDPOINTS.revealRandomCard, ana, { params })
    await started.stop()
    clock.moveAhead(DAY_MS)
    await start()
    await vi.waitFor(async () => expect(await known(params)).toEqual({}), WAIT)
  })

  test('a watchlist whose country is removed loses its stored services', async () => {
    const first = await start()
    const params = await aClub(first)
    await add(first, params, ALIEN)
    await stopBefore(first)
    const started = await start()
    await vi.waitFor(async () => expect(Object.keys(await known(params))).toHaveLength(1), WAIT)

    await callOk(started, ENDPOINTS.setCountry, ana, { params, body: { country: null } })
    await started.stop()
    clock.moveAhead(DAY_MS)
    await start()
    await vi.waitFor(async () => expect(await rowsOf('box_reading', params.watchlistId)).toEqual([]), WAIT)
    expect(await known(params)).toEqual({})
  })

  test('a source that fails in the background is asked again later, and page calls go on', async () => {
    const first = await start()
    const params = await aClub(first)
    const alien = await add(first, params, ALIEN)
    const revealed = { title: 'Blade Runner', movie: { ids: { tmdb: BLADE_RUNNER } }, revealImmediately: true }
    const body = { ...revealed, image: 'https://example.org/a.jpg' }
    const { id: shown } = await callOk(first, ENDPOINTS.addCard, ana, { params, body })
    await stopBefore(first)
    await forgetAll()
    standIn.fail('down')
    const started = await start()
    // Boxes of earlier tests fail, too. This one is put off by fifteen minutes.
    const putOff = clock.now().getTime() + 14 * 60_000
    const dueAt = async () => {
      const [row] = (await rowsOf('box_reading', params.watchlistId)) as BoxOfferTables['box_reading'][]
      return Number(row?.due_at)
    }
    await vi.waitFor(async () => expect(await dueAt()).toBeGreaterThan(putOff), WAIT)
    expect(started.logged()).toContain('of the boxes cannot be asked')
    standIn.fail(undefined)
    const { cards } = await callOk(started, ENDPOINTS.listAvailability, ana, { params, query: { cards: shown } })
    expect(cards).toMatchObject([{ cardId: shown, streaming: [{ serviceId: 300 }] }])
    await started.stop()
    expect(await known(params)).toEqual({})
    clock.moveAhead(16 * 60_000)
    await start()

    await vi.waitFor(async () => expect(await known(params)).toEqual({ [alien]: [8, 11] }), WAIT)
  })

  test.each([
    ['fails', { status: 500, body: {} }],
    ['is refused', { status: 422, body: {} }],
    ['is answered in another shape', { status: 200, body: { results: 'many' } }],
  ])('a movie whose lookup %s does not delay the other movies in the box', async (_what, answer) => {
    const first = await start()
    const params = await aClub(first)
    const alien = await add(first, params, ALIEN)
    const aliens = await add(first, params, ALIENS)
    await stopBefore(first)
    await forgetAll()
    standIn.answerWith(OFFERS_OF(ALIEN), answer)
    onTestFinished(() => {
      standIn.answerWith(OFFERS_OF(ALIEN), undefined)
    })
    const before = standIn.asked().length
    const started = await start()

    await vi.waitFor(async () => expect(await known(params)).toEqual({ [aliens]: [] }), WAIT)
    expect(standIn.asked().slice(before)).toContain(OFFERS_OF(ALIEN))
    await started.stop()
    standIn.answerWith(OFFERS_OF(ALIEN), undefined)
    clock.moveAhead(16 * 60_000)
    await start()
    await vi.waitFor(async () => expect(await known(params)).toEqual({ [alien]: [8, 11], [aliens]: [] }), WAIT)
  })

  test('nothing is stored while availability is switched off, or for a watchlist without a country', async () => {
    const first = await start()
    const params = await aClub(first)
    const { watchlist } = await aWatchlist(first, { owner: ana })
    await add(first, params, ALIEN)
    await add(first, { watchlistId: watchlist.id }, ALIEN)
    await first.stop()
    await forgetAll()
    const off = await start(false)
    await callOk(off, ENDPOINTS.countSuggestedCards, ana, { params })
    await off.stop()
    expect(await rowsOf('box_reading', params.watchlistId)).toEqual([])

    await start()
    await vi.waitFor(async () => expect(Object.keys(await known(params))).toHaveLength(1), WAIT)
    expect(await rowsOf('box_reading', watchlist.id)).toEqual([])
  })
})
