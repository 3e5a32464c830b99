import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { type CatalogueStandIn, startCatalogueStandIn, type Trouble } from '../../../testing/catalogue/stand-in.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import { sweepAnswers } from './service.ts'

const DAY_MS = 24 * 60 * 60_000
const ALIEN = '348'
const ALIENS = '679'
const BLADE_RUNNER = '78'
const NETFLIX = { serviceId: 8, name: 'Netflix' }
const MUBI = { serviceId: 11, name: 'Mubi' }
const APPLE = { serviceId: 2, name: 'Apple TV' }
const AMAZON = { serviceId: 10, name: 'Amazon Video' }

eachStatement({ product: productMigrations }, (theDatabase) => {
  const ana = aUser('ana')
  const ben = aUser('ben')
  const clock = movableClock()
  let standIn: CatalogueStandIn
  let started: TestApp & { stop: () => Promise<void> }

  beforeAll(async () => {
    standIn = await startCatalogueStandIn()
    const { TMDB_TOKEN: token = '', TMDB_URL: url = '' } = standIn.settings
    started = await startApp(theDatabase(), { clock, watchProviders: { token, url } })
  })
  afterAll(async () => {
    await started.stop()
    await standIn.stop()
  })
  // What an earlier test asked is forgotten.
  beforeEach(async () => {
    standIn.fail(undefined)
    clock.moveAhead(8 * DAY_MS)
    await sweepAnswers({ database: theDatabase(), clock })
  })

  const aClub = async (country: string | null = 'DE') => {
    const { watchlist } = await aWatchlist(started, { owner: ana, members: [ben] })
    const params = { watchlistId: watchlist.id }
    if (country !== null) await callOk(started, ENDPOINTS.setCountry, ana, { params, body: { country } })
    return params
  }
  const add = async (params: { watchlistId: string }, title: string, tmdb: string, by: Caller = ana, inBox = false) => {
    const movie = { ids: { tmdb } }
    const body = { title, movie, image: 'https://example.org/a.jpg', revealImmediately: !inBox }
    return (await callOk(started, ENDPOINTS.addCard, by, { params, body })).id
  }
  const read = async (params: { watchlistId: string }, cards: readonly string[], by: Caller = ana) =>
    (await callOk(started, ENDPOINTS.listAvailability, by, { params, query: { cards: cards.join(',') } })).cards
  const choose = async (by: Caller, services: readonly number[]) =>
    await callOk(started, ENDPOINTS.chooseServices, by, { body: { services: [...services] } })
  const askedSince = (count: number) => standIn.asked().slice(count)

  test('a movie lists its services in the country of the watchlist, best known first, and a link to its page', async () => {
    const params = await aClub()
    const alien = await add(params, 'Alien', ALIEN)
    const aliens = await add(params, 'Aliens', ALIENS)
    const stalker = await add(params, 'Stalker', '1398')

    const cards = await read(params, [alien, aliens, stalker])

    expect(cards.find(({ cardId }) => cardId === alien)).toEqual({
      cardId: alien,
      streaming: [NETFLIX, MUBI],
      paid: [APPLE, AMAZON],
      link: 'https://www.themoviedb.org/movie/348/watch?locale=DE',
      servers: [],
      havers: [],
      request: null,
    })
    expect(cards.find(({ cardId }) => cardId === aliens)).toMatchObject({ streaming: [], paid: [APPLE, AMAZON] })
    expect(cards).toHaveLength(2)
  })

  test('a watchlist in another country shows the services of that country', async () => {
    const params = await aClub('US')
    const alien = await add(params, 'Alien', ALIEN)

    const [card] = await read(params, [alien])

    expect(card).toMatchObject({ streaming: [{ serviceId: 300, name: 'Pluto TV' }], paid: [] })
  })

  test('a watchlist without a country shows no services and sends no request to the source', async () => {
    const params = await aClub(null)
    const alien = await add(params, 'Alien', ALIEN)
    const before = standIn.asked().length

    expect(await read(params, [alien])).toEqual([])
    expect(askedSince(before)).toEqual([])
  })

  test('an answer of the source is kept for a day and used for all watchlists', async () => {
    const [params, others] = [await aClub(), await aClub()]
    const [alien, same] = [await add(params, 'Alien', ALIEN), await add(others, 'Alien', ALIEN)]
    const before = standIn.asked().length

    await read(params, [alien])
    clock.moveAhead(DAY_MS - 60_000)
    await read(others, [same])
    expect(askedSince(before)).toEqual(['/tmdb/3/movie/348/watch/providers'])
    clock.moveAhead(120_000)
    await read(others, [same])
    expect(askedSince(before)).toHaveLength(2)
  })

  test('a card in the box shows no availability, not even to its creator', async () => {
    const params = await aClub()
    const boxed = await add(params, 'Alien', ALIEN, ana, true)
    await choose(ana, [8])

    expect(await read(params, [boxed])).toEqual([])
    expect(await read(params, [boxed], ben)).toEqual([])
    const { cards } = await callOk(started, ENDPOINTS.listLibrary, ana, { params, query: { watchable: 'yes' } })
    expect(cards).toEqual([])
    await choose(ana, [])
    // The background asks about the box at a time of its own.
    await callOk(started, ENDPOINTS.deleteCard, ana, { params: { ...params, cardId: boxed } })
  })

  test('services of the caller are listed first', async () => {
    const params = await aClub()
    const alien = await add(params, 'Alien', ALIEN)
    await choose(ana, [11])

    expect((await read(params, [alien]))[0]?.streaming).toEqual([MUBI, NETFLIX])
    expect((await read(params, [alien], ben))[0]?.streaming).toEqual([NETFLIX, MUBI])
    await choose(ana, [])
  })

  test('a card shows which of its services the people at the movie night have', async () => {
    const params = await aClub()
    const alien = await add(params, 'Alien', ALIEN)
    await choose(ben, [11, 8, 2])
    const { id: nightId } = await callOk(started, ENDPOINTS.openNight, ana, { params })
    expect((await read(params, [alien]))[0]?.havers).toEqual([])

    await callOk(started, ENDPOINTS.arriveAtNight, ben, { params: { nightId } })

    expect((await read(params, [alien]))[0]?.havers).toEqual([{ username: 'ben', services: ['Netflix', 'Mubi'] }])
    await choose(ben, [])
  })

  test('a guest and the big screen see where the movie of the night can be watched, and who has the service', async () => {
    const params = await aClub()
    const { id: nightId } = await callOk(started, ENDPOINTS.openNight, ana, { params })
    await callOk(started, ENDPOINTS.arriveAtNight, ben, { params: { nightId } })
    await choose(ben, [8])
    clock.moveAhead(60_000)
    const alien = await add(params, 'Alien', ALIEN)
    const night = { params: { nightId } }
    const { token } = await callOk(started, ENDPOINTS.addGuest, ana, { ...night, body: { nickname: 'Lea' } })

    const { body: screen } = await call(started, ENDPOINTS.requestScreen, undefined)
    await callOk(started, ENDPOINTS.pairScreen, ben, { ...night, body: { code: screen.code } })
    const { body } = await call(started, ENDPOINTS.findScreenPass, undefined, { body: screen })
    const seenWith = async (pass: string) => {
      const headers = { authorization: `Bearer ${pass}` }
      return (await call(started, ENDPOINTS.listNightAvailability, undefined, { ...night, headers })).body
    }

    const seen = {
      cards: [{ cardId: alien, streaming: [NETFLIX, MUBI], havers: [{ username: 'ben', services: ['Netflix'] }] }],
    }
    expect(await seenWith(token)).toMatchObject(seen)
    expect(await seenWith(body.pass?.token ?? '')).toMatchObject(seen)
    await choose(ben, [])
  })

  test('the watchable filter of the library finds the movies on the streaming services of the caller', async () => {
    const params = await aClub()
    await add(params, 'Alien', ALIEN)
    await add(params, 'Aliens', ALIENS)
    await add(params, 'Blade Runner', BLADE_RUNNER)
    const titles = async () => {
      const query = { watchable: 'yes', sort: 'title' }
      const { cards } = await callOk(started, ENDPOINTS.listLibrary, ana, { params, query })
      return cards.map(({ title }) => title)
    }

    expect(await titles()).toEqual([])
    await choose(ana, [8])
    expect(await titles()).toEqual(['Alien'])
    await choose(ana, [8, 300])
    expect(await titles()).toEqual(['Alien', 'Blade Runner'])
    // To rent is not to have.
    await choose(ana, [2])
    expect(await titles()).toEqual([])
    await choose(ana, [])
  })

  test('the watchable filter looks up 100 movies per page, and the next page continues after them', async () => {
    const params = await aClub()
    await choose(ana, [8])
    for (let n = 0; n < 130; n += 1) await add(params, `Film ${100 + n}`, String(900_000 + n))
    await add(params, 'Zulu', ALIEN)
    const before = standIn.asked().length
    const page = async (nextToken?: string) => {
      const query = { watchable: 'yes', sort: 'title', ...(nextToken !== undefined && { nextToken }) }
      return await callOk(started, ENDPOINTS.listLibrary, ana, { params, query })
    }

    const first = await page()
    expect(first.cards).toEqual([])
    expect(askedSince(before)).toHaveLength(100)
    const second = await page(first.nextToken ?? '')

    expect(second.cards.map(({ title }) => title)).toEqual(['Zulu'])
    expect(second.nextToken).toBeNull()
    expect(askedSince(before)).toHaveLength(131)
    await choose(ana, [])
  })

  test('a watchlist that is restored from its export keeps its country', async () => {
    const params = await aClub()
    const exported = await callOk(started, ENDPOINTS.exportWatchlist, ana, { params })

    const copy = await callOk(started, ENDPOINTS.restoreWatchlist, ana, { body: { ...exported } })

    expect(exported.watchlist.country).toBe('DE')
    expect(copy.country).toBe('DE')
  })

  test('a user sees their services only in their own profile, without duplicates', async () => {
    expect(await choose(ana, [8, 11, 8])).toMatchObject({ services: [8, 11] })
    expect(await callOk(started, ENDPOINTS.getOwnProfile, ana)).toMatchObject({ services: [8, 11] })
    const params = { username: 'ana' }
    expect(await callOk(started, ENDPOINTS.getProfile, ben, { params })).not.toHaveProperty('services')
    expect(await choose(ana, [])).not.toHaveProperty('services')
  })

  test('the services of a country are listed, and a second listing sends no request', async () => {
    const before = standIn.asked().length
    const list = async () => await callOk(started, ENDPOINTS.listServices, ana, { query: { country: 'US' } })

    const { services } = await list()
    await list()

    expect(services.map(({ name }) => name)).toEqual(['Pluto TV', 'Amazon Video', 'Mubi', 'Apple TV', 'Netflix'])
    expect(askedSince(before)).toEqual(['/tmdb/3/watch/providers/movie'])
  })

  test('a country that does not exist is refused', async () => {
    const params = await aClub()
    const answers = [
      await call(started, ENDPOINTS.setCountry, ana, { params, body: { country: 'XX' } }),
      await call(started, ENDPOINTS.listServices, ana, { query: { country: 'XX' } }),
    ]

    for (const { status, body } of answers) {
      expect([status, body]).toEqual([400, { type: 'BAD_REQUEST', message: 'This is not a country, for example DE' }])
    }
  })

  describe.each<Trouble>(['down', 'limited', 'nonsense', 'html', 'huge', 'bomb', 'redirect'])(
    'availability while the source is %s',
    (trouble) => {
      test('a page of cards shows the services known so far, and the reason is logged once', async () => {
        const params = await aClub()
        const [alien, aliens] = [await add(params, 'Alien', ALIEN), await add(params, 'Aliens', ALIENS)]
        expect(await read(params, [alien])).toHaveLength(1)
        clock.moveAhead(DAY_MS + 60_000)
        const before = started.logged().length
        standIn.fail(trouble)

        expect((await read(params, [alien, aliens])).map(({ cardId }) => cardId)).toEqual([alien])
        clock.moveAhead(3_700_000)
        expect(await read(params, [alien, aliens])).toHaveLength(1)

        const lines = started.logged().slice(before).split('Where movies can be watched cannot be asked')
        expect(lines).toHaveLength(2)
        expect(started.logged()).not.toContain('a-read-access-token')
      })
    },
  )

  test('a movie whose lookup fails is looked up again later, and lookups of other movies go on', async () => {
    const params = await aClub()
    const [alien, aliens] = [await add(params, 'Alien', ALIEN), await add(params, 'Aliens', ALIENS)]
    const blade = await add(params, 'Blade Runner', BLADE_RUNNER)
    const path = `/tmdb/3/movie/${ALIEN}/watch/providers`
    standIn.answerWith(path, { status: 500, body: {} })
    const before = standIn.asked().length
    const timesAsked = () => askedSince(before).filter((each) => each === path).length

    expect(await read(params, [alien])).toEqual([])
    expect((await read(params, [alien, aliens])).map(({ cardId }) => cardId)).toEqual([aliens])
    expect((await read(params, [blade])).map(({ cardId }) => cardId)).toEqual([blade])
    expect(timesAsked()).toBe(1)

    standIn.answerWith(path, undefined)
    clock.moveAhead(16 * 60_000)
    expect(await read(params, [alien])).toMatchObject([{ streaming: [NETFLIX, MUBI] }])
  })

  test('the log counts the movies that the source cannot answer about', async () => {
    const lines: { msg: string; count?: number }[] = []
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) })
    const { TMDB_TOKEN: token = '', TMDB_URL: url = '' } = standIn.settings
    const logging = await startApp(theDatabase(), { clock, logger, watchProviders: { token, url } })
    onTestFinished(logging.stop)
    const params = await aClub()
    const cards = [await add(params, 'Alien', ALIEN), await add(params, 'Aliens', ALIENS)].join(',')
    const path = `/tmdb/3/movie/${ALIEN}/watch/providers`
    standIn.answerWith(path, { status: 500, body: {} })

    await callOk(logging, ENDPOINTS.listAvailability, ana, { params, query: { cards } })

    standIn.answerWith(path, undefined)
    const about = lines.filter(({ msg }) => msg === 'Some movies have no answer about where they can be watched')
    expect(about).toMatchObject([{ count: 1, country: 'DE', reason: expect.stringContaining('500') as string }])
  })

  test('several failed lookups do not stop the lookups of other movies', async () => {
    const params = await aClub()
    const broken = [await add(params, 'Alien', ALIEN), await add(params, 'Aliens', ALIENS)]
    const blade = await add(params, 'Blade Runner', BLADE_RUNNER)
    for (const id of [ALIEN, ALIENS]) {
      standIn.answerWith(`/tmdb/3/movie/${id}/watch/providers`, { status: 500, body: {} })
    }

    expect(await read(params, broken)).toEqual([])
    expect((await read(params, [blade])).map(({ cardId }) => cardId)).toEqual([blade])

    for (const id of [ALIEN, ALIENS]) standIn.answerWith(`/tmdb/3/movie/${id}/watch/providers`, undefined)
  })

  test('a very long service name is cut to 100 characters, and an unreadable service is left out', async () => {
    const params = await aClub()
    const alien = await add(params, 'Alien', ALIEN)
    const path = `/tmdb/3/movie/${ALIEN}/watch/providers`
    const flatrate = [
      { provider_id: 8, provider_name: 'Netflix', display_priority: 0 },
      { provider_id: 9, provider_name: 'x'.repeat(150), display_priority: 1 },
      { provider_id: 'ten', provider_name: '' },
    ]
    standIn.answerWith(path, { status: 200, body: { id: 348, results: { DE: { link: null, flatrate } } } })

    const [card] = await read(params, [alien])
    standIn.answerWith(path, undefined)

    expect(card?.streaming).toEqual([NETFLIX, { serviceId: 9, name: 'x'.repeat(100) }])
  })

  test('a slow source does not delay a page of cards, and is not asked again right away', async () => {
    const params = await aClub()
    const alien = await add(params, 'Alien', ALIEN)
    standIn.fail('slow')
    const before = standIn.asked().length

    expect(await read(params, [alien])).toEqual([])
    expect(await read(params, [alien])).toEqual([])
    expect(askedSince(before)).toHaveLength(1)
  })

  test('answers older than a week are deleted, and so are the oldest ones if there are too many', async () => {
    const params = await aClub()
    const [alien, aliens] = [await add(params, 'Alien', ALIEN), await add(params, 'Aliens', ALIENS)]
    const ports = { database: theDatabase(), clock }
    clock.moveAhead(4_000_000)
    await read(params, [alien])
    clock.moveAhead(1_000)
    await read(params, [aliens])
    const before = standIn.asked().length

    await sweepAnswers(ports)
    await read(params, [alien, aliens])
    expect(askedSince(before)).toEqual([])
    await sweepAnswers(ports, 1)
    await read(params, [alien, aliens])
    expect(askedSince(before)).toEqual(['/tmdb/3/movie/348/watch/providers'])
    clock.moveAhead(8 * DAY_MS)
    await sweepAnswers(ports)
    standIn.fail('down')
    expect(await read(params, [alien, aliens])).toEqual([])
  })
})

eachStatement({ product: productMigrations }, (theDatabase) => {
  test('an installation without watch providers answers 404 and hides the feature', async () => {
    const ana = aUser('ana')
    const started = await startApp(theDatabase())
    try {
      const { watchlist } = await aWatchlist(started, { owner: ana })
      const params = { watchlistId: watchlist.id }
      const answers = [
        await call(started, ENDPOINTS.listAvailability, ana, { params, query: { cards: 'none' } }),
        await call(started, ENDPOINTS.listLibrary, ana, { params, query: { watchable: 'yes' } }),
        await call(started, ENDPOINTS.listServices, ana, { query: { country: 'DE' } }),
        await call(started, ENDPOINTS.setCountry, ana, { params, body: { country: 'DE' } }),
        await call(started, ENDPOINTS.chooseServices, ana, { body: { services: [11] } }),
      ]

      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
      expect(watchlist).not.toHaveProperty('country')
      const config = await started.app.inject({ url: '/config.json' })
      expect(config.json()).not.toHaveProperty('features.watchProviders')
    } finally {
      await started.stop()
    }
  })
})
