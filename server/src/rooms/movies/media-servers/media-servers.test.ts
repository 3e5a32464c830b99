import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { MediaServer } from '@marquee/contract/entities/media-server'
import type { MovieIds } from '@marquee/contract/entities/movie'
import { withTables } from '@marquee/platform/database/database'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { aMediaServer, MEDIA_HERE } from '../../../testing/media/a-media-server.ts'
import { manyFilms } from '../../../testing/media/library.ts'
import { NO_MEDIA_SERVERS } from '../../../testing/media-servers.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'
import type { CardTables } from '../cards/card/store.ts'
import type { MediaTables } from './store.ts'

const HOUR_MS = 60 * 60_000
const WAIT = { timeout: 60_000, interval: 50 }
const ALIEN = { title: 'Alien', year: 1979, tmdb: '348', imdb: 'tt0078748' }
const RAN = { title: 'Ran', year: 1985, imdb: 'tt0089881' }
const HOME_VIDEO = { title: 'The Third Man', year: 1949 }

type Started = TestApp & { stop: () => Promise<void> }
type Place = { watchlistId: string }
type StandIn = Awaited<ReturnType<typeof aMediaServer>>

eachStatement({ product: productMigrations }, (theDatabase) => {
  const ana = aUser('ana')
  const ben = aUser('ben')
  const clock = movableClock()
  const mediaServers = { ...NO_MEDIA_SERVERS, reach: MEDIA_HERE }
  let started: Started

  beforeAll(async () => {
    started = await startApp(theDatabase(), { clock, mediaServers })
  })
  afterAll(async () => {
    await started.stop()
  })

  const aClub = async () => {
    const { watchlist } = await aWatchlist(started, { owner: ana, members: [ben] })
    return { watchlistId: watchlist.id }
  }
  const bodyOf = ({ kind, url, state: { key: token } }: StandIn) => ({ kind, url, token })
  const list = async (params: Place, by: Caller = ana) =>
    (await callOk(started, ENDPOINTS.listMediaServers, by, { params })).servers
  const connect = async (params: Place, standIn: StandIn, more: { openUrl?: string } = {}) =>
    await callOk(started, ENDPOINTS.connectMediaServer, ana, { params, body: { ...bodyOf(standIn), ...more } })
  const untilState = async (params: Place, serverId: string, state: MediaServer['state']) =>
    await vi.waitFor(async () => {
      const server = (await list(params)).find((one) => one.serverId === serverId)
      expect(server).toMatchObject({ state })
      return server as MediaServer
    }, WAIT)
  const connected = async (params: Place, standIn: StandIn, more: { openUrl?: string } = {}) => {
    const { serverId } = await connect(params, standIn, more)
    return await untilState(params, serverId, 'ready')
  }
  const readAgain = async (place: Place & { serverId: string }, by: Caller = ana) => {
    clock.moveAhead(2 * 60_000)
    return await callOk(started, ENDPOINTS.readMediaServer, by, { params: place })
  }
  const add = async (
    params: Place,
    title: string,
    facts: { ids?: MovieIds; year?: number } | undefined,
    { by = ana, inBox = false }: { by?: Caller; inBox?: boolean } = {},
  ) => {
    const movie = facts && { movie: facts }
    const body = { title, ...movie, image: 'https://example.org/a.jpg', revealImmediately: !inBox }
    return (await callOk(started, ENDPOINTS.addCard, by, { params, body })).id
  }
  const copies = async (params: Place, cards: readonly string[], by: Caller = ana) => {
    const query = { cards: cards.join(',') }
    const reply = await callOk(started, ENDPOINTS.listAvailability, by, { params, query })
    return reply.cards.map(({ cardId, servers }) => ({ cardId, names: servers.map(({ name }) => name) }))
  }
  const rowsOf = async (table: 'media_server' | 'media_list' | 'media_movie', { watchlistId }: Place) =>
    await withTables<MediaTables>(theDatabase().read)
      .selectFrom(table)
      .selectAll()
      .where('watchlist_id', '=', watchlistId)
      .execute()

  test.each(['jellyfin', 'emby', 'plex'] as const)(
    'a connected server of the kind %s is read, and its movies are shown on cards of the feed',
    async (kind) => {
      const params = await aClub()
      const standIn = await aMediaServer(kind, { films: [ALIEN, RAN] })

      const made = await connect(params, standIn, { openUrl: 'https://media.example.org' })

      expect(made).toMatchObject({ kind, name: standIn.state.name, fault: null, openUrl: 'https://media.example.org' })
      expect(made.host).toBe(new URL(standIn.url).host)
      const ready = await untilState(params, made.serverId, 'ready')
      expect(ready).toMatchObject({ movies: 2, fault: null })
      const alien = await add(params, 'Alien', { ids: { tmdb: '348' } })
      const { cards } = await callOk(started, ENDPOINTS.listAvailability, ben, { params, query: { cards: alien } })
      expect(cards).toMatchObject([{ cardId: alien, streaming: [], paid: [], link: null, havers: [] }])
      const [copy] = cards[0]?.servers ?? []
      expect(copy).toMatchObject({ serverId: made.serverId, kind, name: standIn.state.name })
      expect(copy?.link).toMatch(/^https:\/\/media\.example\.org\//u)
      expect(copy?.link).toContain(encodeURIComponent(standIn.itemIdOf(ALIEN, 0)))
    },
  )

  test('a movie is found by any of its ids, and by title and year only if the server has no id', async () => {
    const params = await aClub()
    const films = [ALIEN, RAN, HOME_VIDEO, { title: 'Ikiru', year: 1952, wikidata: 'Q189540' }]
    const { name } = await connected(params, await aMediaServer('jellyfin', { films }))
    const byImdb = await add(params, 'Alien', { ids: { imdb: 'tt0078748' } })
    const byWikidata = await add(params, 'To Live', { ids: { wikidata: 'Q189540' } })
    const byTitle = await add(params, 'Third Man, The', { year: 1949, ids: { imdb: 'tt0041959' } })
    const otherYear = await add(params, 'The Third Man', { year: 2004 })
    const onlyNamedAlike = await add(params, 'Ran', { year: 1985 })

    const found = await copies(params, [byImdb, byWikidata, byTitle, otherYear, onlyNamedAlike])

    const names = [name]
    const expected = [byImdb, byWikidata, byTitle].map((cardId) => ({ cardId, names }))
    expect(found.toSorted((a, b) => a.cardId.localeCompare(b.cardId))).toEqual(
      expected.toSorted((a, b) => a.cardId.localeCompare(b.cardId)),
    )
  })

  test('a card in the box is never matched with a server, not even for its creator', async () => {
    const params = await aClub()
    await connected(params, await aMediaServer('jellyfin', { films: [ALIEN] }))
    const boxed = await add(params, 'Alien', { ids: { tmdb: '348' } }, { inBox: true })

    expect(await copies(params, [boxed])).toEqual([])
    const { cards } = await callOk(started, ENDPOINTS.listLibrary, ana, { params, query: { watchable: 'yes' } })
    expect(cards).toEqual([])
  })

  test('the watchable filter of the library finds the movies on a server, for members only', async () => {
    const guests = await startApp(theDatabase(), { clock, mediaServers, allowGuests: true })
    onTestFinished(guests.stop)
    const params = await aClub()
    await connected(params, await aMediaServer('plex', { films: [ALIEN] }))
    const alien = await add(params, 'Alien', { ids: { tmdb: '348' } })
    await add(params, 'Stalker', { ids: { tmdb: '1398' } })
    const watchable = async (by: Caller | undefined) => {
      const { body } = await call(guests, ENDPOINTS.listLibrary, by, { params, query: { watchable: 'yes' } })
      return (body.cards as { id: string }[]).map(({ id }) => id)
    }

    expect(await watchable(ben)).toEqual([alien])
    expect(await watchable(aUser('stranger'))).toEqual([])
    expect(await watchable(undefined)).toEqual([])
  })

  test('the watchable filter finds a movie by any of its ids, on any server, newest change first', async () => {
    const params = await aClub()
    const ikiru = { title: 'Ikiru', year: 1952, wikidata: 'Q189540' }
    await connected(params, await aMediaServer('jellyfin', { films: [ALIEN, ikiru] }))
    await connected(params, await aMediaServer('plex', { films: [RAN] }))
    await add(params, 'Alien', { ids: { tmdb: '348' } })
    await add(params, 'Stalker', { ids: { tmdb: '1398', imdb: 'tt0079944' } })
    await add(params, 'Ran', { ids: { tmdb: '1', imdb: 'tt0089881' } })
    await add(params, 'Alien', { year: 1979 })
    await add(params, 'Ran', undefined)
    await add(params, 'To Live', { ids: { imdb: 'tt0044741', wikidata: 'Q189540' } })
    const titles = async (query: Record<string, string>) => {
      const page = await callOk(started, ENDPOINTS.listLibrary, ana, { params, query: { watchable: 'yes', ...query } })
      return page.cards.map(({ title, movie }) => [title, movie?.ids])
    }

    const [toLive, ran, alien] = [
      ['To Live', { imdb: 'tt0044741', wikidata: 'Q189540' }],
      ['Ran', { tmdb: '1', imdb: 'tt0089881' }],
      ['Alien', { tmdb: '348' }],
    ]
    expect(await titles({})).toEqual([toLive, ran, alien])
    expect(await titles({ sort: 'title' })).toEqual([alien, ran, toLive])
    expect(await titles({ q: 'ran' })).toEqual([ran])
  })

  test('the watchable filter finds a movie without an id by title and year, even beside a server with ids', async () => {
    const params = await aClub()
    await connected(params, await aMediaServer('jellyfin', { films: [{ title: 'The Third Man', year: 1949 }] }))
    await connected(params, await aMediaServer('plex', { films: [ALIEN] }))
    const alien = await add(params, 'Alien', { ids: { tmdb: '348' } })
    const thirdMan = await add(params, 'Third Man, The', { year: 1949, ids: { imdb: 'tt0041959' } })
    await add(params, 'The Third Man', { year: 2004 })

    const { cards } = await callOk(started, ENDPOINTS.listLibrary, ana, { params, query: { watchable: 'yes' } })

    expect(cards.map(({ id }) => id).toSorted()).toEqual([alien, thirdMan].toSorted())
  })

  test('the watchable filter finds movies that are far apart, page by page', async () => {
    const params = await aClub()
    const films = Array.from({ length: 40 }, (_, n) => ({ title: `Film ${10 + n}`, tmdb: String(9_000 + n) }))
    await connected(params, await aMediaServer('jellyfin', { films: [0, 19, 38].flatMap((n) => films[n] ?? []) }))
    for (const { title, tmdb } of films) await add(params, title, { ids: { tmdb } })
    const pages = async (sort: string) => {
      const found: string[][] = []
      let nextToken: string | null | undefined
      while (nextToken !== null) {
        const query = { watchable: 'yes', sort, limit: 1, ...(nextToken !== undefined && { nextToken }) }
        const page = await callOk(started, ENDPOINTS.listLibrary, ana, { params, query })
        found.push(page.cards.map(({ title }) => title))
        nextToken = page.nextToken
      }
      return found
    }

    expect(await pages('title')).toEqual([['Film 10'], ['Film 29'], ['Film 48']])
    expect(await pages('changed')).toHaveLength(3)
    expect((await pages('rating')).flat().toSorted()).toEqual(['Film 10', 'Film 29', 'Film 48'])
  })

  test('the watchable filter finds the only movie on a server among 12,000 cards, after empty pages', async () => {
    const params = await aClub()
    await connected(params, await aMediaServer('jellyfin', { films: [ALIEN] }))
    const alien = await add(params, 'Alien', { ids: { tmdb: '348' } })
    const other = await add(params, 'Film', { ids: { tmdb: '9000' } })
    await theDatabase().transaction(async (trx) => {
      const cards = withTables<CardTables>(trx)
      const row = await cards.selectFrom('card').selectAll().where('id', '=', other).executeTakeFirstOrThrow()
      for (let from = 0; from < 12_000; from += 500) {
        const copies = Array.from({ length: 500 }, (_, n) => {
          return { ...row, id: `${row.id}-${from + n}`, status_changed_at: '2040-01-01T00:00:00.000Z' }
        })
        const parts = [copies.slice(0, 250), copies.slice(250)]
        for (const part of parts) await cards.insertInto('card').values(part).execute()
      }
    })
    const counts: number[] = []
    const found: string[] = []
    let nextToken: string | null | undefined
    while (nextToken !== null) {
      const query = { watchable: 'yes', ...(nextToken !== undefined && { nextToken }) }
      const page = await callOk(started, ENDPOINTS.listLibrary, ana, { params, query })
      counts.push(page.cards.length)
      found.push(...page.cards.map(({ id }) => id))
      nextToken = page.nextToken
    }

    expect(counts).toEqual([0, 0, 1])
    expect(found).toEqual([alien])
  })

  test('only the owner sees the host, and members get no link that the owner has not set', async () => {
    const params = await aClub()
    const standIn = await aMediaServer('jellyfin', { films: [ALIEN] })
    const { serverId } = await connected(params, standIn)
    const alien = await add(params, 'Alien', { ids: { tmdb: '348' } })

    expect(await list(params, ben)).toMatchObject([{ serverId, host: null, openUrl: null }])
    const query = { cards: alien }
    const reply = await callOk(started, ENDPOINTS.listAvailability, ben, { params, query })
    expect(reply.cards[0]?.servers[0]?.link).toBeNull()
    const { status } = await call(started, ENDPOINTS.listMediaServers, aUser('stranger'), { params })
    expect(status).toBe(403)
  })

  test('the owner can change and remove the address at which members open a server', async () => {
    const params = await aClub()
    const { serverId } = await connected(params, await aMediaServer('jellyfin', { films: [ALIEN] }))
    const change = async (openUrl: string | null) =>
      await call(started, ENDPOINTS.changeMediaServer, ana, { params: { ...params, serverId }, body: { openUrl } })

    expect((await change('https://media.example.org')).body.openUrl).toBe('https://media.example.org')
    expect((await change('javascript:alert(1)')).status).toBe(400)
    expect((await change(null)).body.openUrl).toBeNull()
  })

  test('a key in the query of an address is neither stored nor shown, wherever the owner enters it', async () => {
    const [jellyfin, emby] = [await aMediaServer('jellyfin'), await aMediaServer('emby')]
    // The address is public once the server has said who it is.
    const lookup = async () => await Promise.resolve([jellyfin.asked.length < 2 ? '127.0.0.1' : '1.1.1.1'])
    const reach = { ...MEDIA_HERE, lookup }
    const outside = await startApp(theDatabase(), { clock, mediaServers: { ...mediaServers, reach } })
    onTestFinished(outside.stop)
    const params = await aClub()
    const url = `${jellyfin.url.replace('127.0.0.1', 'home.example')}/web/?api_key=a-hidden-key#!/home`

    const body = { ...bodyOf(jellyfin), url }
    const made = await callOk(outside, ENDPOINTS.connectMediaServer, ana, { params, body })
    const openUrl = 'https://media.example.org/?api_key=a-hidden-key#a-hidden-key'
    const given = await connect(params, emby, { openUrl })
    const changing = { params: { ...params, serverId: given.serverId }, body: { openUrl: `${openUrl}x` } }
    const changed = await callOk(started, ENDPOINTS.changeMediaServer, ana, changing)

    const home = `http://home.example:${new URL(jellyfin.url).port}`
    const media = 'https://media.example.org'
    expect([made.openUrl, given.openUrl, changed.openUrl]).toEqual([home, media, media])
    const stored = JSON.stringify(await rowsOf('media_server', params))
    expect(stored + JSON.stringify(await list(params, ben))).not.toContain('a-hidden-key')
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://media.example.org',
    '//media.example.org',
    'media.example.org',
    'https://ana:secret@media.example.org',
  ])('members cannot be sent to %s', async (openUrl) => {
    const params = await aClub()
    const standIn = await aMediaServer('jellyfin')
    const body = { ...bodyOf(standIn), openUrl }

    const refused = await call(started, ENDPOINTS.connectMediaServer, ana, { params, body })
    expect([refused.status, standIn.asked]).toEqual([400, []])
    const { serverId } = await connected(params, standIn)
    const change = { params: { ...params, serverId }, body: { openUrl } }
    expect((await call(started, ENDPOINTS.changeMediaServer, ana, change)).status).toBe(400)
  })

  test('an address that only members can reach is linked, but never requested by Marquee', async () => {
    const params = await aClub()
    let requests = 0
    const inside = await aWebServer((_request, response) => {
      requests += 1
      response.end()
    })
    const openUrl = `http://127.0.0.1:${inside.port}`

    const { serverId } = await connected(params, await aMediaServer('jellyfin', { films: [ALIEN] }), { openUrl })
    await callOk(started, ENDPOINTS.changeMediaServer, ana, { params: { ...params, serverId }, body: { openUrl } })
    await readAgain({ ...params, serverId })
    await untilState(params, serverId, 'ready')
    const alien = await add(params, 'Alien', { ids: { tmdb: '348' } })
    const { cards } = await callOk(started, ENDPOINTS.listAvailability, ben, { params, query: { cards: alien } })

    expect(cards[0]?.servers[0]?.link).toContain(`${openUrl}/`)
    expect(requests).toBe(0)
  })

  test.each([
    ['down', 'No media server answers at this address'],
    ['html', 'There is no media server of this kind at this address'],
    ['redirect', 'The media server sends us to another address: enter that one'],
    ['broken', 'The answer of the media server cannot be read'],
  ] as const)('a server with the trouble %s is not connected, and the owner sees why', async (trouble, message) => {
    const params = await aClub()
    const standIn = await aMediaServer('jellyfin')
    standIn.fail(trouble)

    const answer = await call(started, ENDPOINTS.connectMediaServer, ana, { params, body: bodyOf(standIn) })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe(message)
    expect(await list(params)).toEqual([])
  })

  test('a wrong key is rejected when a server is connected and when its key is changed', async () => {
    const params = await aClub()
    const standIn = await aMediaServer('plex')
    const wrong = { ...bodyOf(standIn), token: 'wrong' }
    const refused = await call(started, ENDPOINTS.connectMediaServer, ana, { params, body: wrong })
    const { serverId } = await connected(params, standIn)
    const body = { token: 'wrong' }
    const change = await call(started, ENDPOINTS.changeMediaServer, ana, { params: { ...params, serverId }, body })

    const message = 'The media server does not accept this key'
    expect([refused.body.message, change.body.message]).toEqual([message, message])
  })

  test('a watchlist has at most four servers, and each only once', async () => {
    const params = await aClub()
    const first = await aMediaServer('jellyfin')
    await connect(params, first)
    const again = await call(started, ENDPOINTS.connectMediaServer, ana, { params, body: bodyOf(first) })
    expect(again.body.message).toBe('This media server is already connected')
    const key = { watchlist_id: params.watchlistId }
    const [row] = await rowsOf('media_server', params)
    await theDatabase().transaction(async (trx) => {
      const others = ['b', 'c', 'd'].map((id) => ({ ...(row as MediaTables['media_server']), ...key, id }))
      await withTables<MediaTables>(trx).insertInto('media_server').values(others).execute()
    })

    const body = bodyOf(await aMediaServer('emby'))
    const fifth = await call(started, ENDPOINTS.connectMediaServer, ana, { params, body })

    expect(fifth.body.message).toBe('A watchlist cannot have more than 4 media servers')
  })

  test('a failing server keeps its last list, is logged once, and recovers', async () => {
    const params = await aClub()
    const standIn = await aMediaServer('jellyfin', { films: [ALIEN] })
    const { serverId, name, readAt } = await connected(params, standIn)
    const alien = await add(params, 'Alien', { ids: { tmdb: '348' } })
    const said = () => started.logged().split(serverId).length - 1
    const before = said()

    standIn.fail('down')
    await readAgain({ ...params, serverId })
    expect(await untilState(params, serverId, 'failing')).toMatchObject({ fault: 'unreachable', readAt, movies: 1 })
    expect(await copies(params, [alien])).toEqual([{ cardId: alien, names: [name] }])
    const asked = standIn.asked.length
    await readAgain({ ...params, serverId }, ben)
    await vi.waitFor(() => {
      expect(standIn.asked.length).toBeGreaterThan(asked)
    }, WAIT)
    await untilState(params, serverId, 'failing')
    expect(said() - before).toBe(1)

    standIn.fail(undefined)
    await readAgain({ ...params, serverId })
    expect(await untilState(params, serverId, 'ready')).toMatchObject({ fault: null })
  })

  test('a server whose key was revoked fails until the owner enters another key', async () => {
    const params = await aClub()
    const standIn = await aMediaServer('emby', { films: [ALIEN] })
    const { serverId } = await connected(params, standIn)
    standIn.state.key = 'emby-another-key'
    await readAgain({ ...params, serverId })
    expect(await untilState(params, serverId, 'failing')).toMatchObject({ fault: 'key' })

    const body = { token: 'emby-another-key' }
    await callOk(started, ENDPOINTS.changeMediaServer, ana, { params: { ...params, serverId }, body })

    expect(await untilState(params, serverId, 'ready')).toMatchObject({ fault: null })
  })

  test('a server that hangs does not delay another one', async () => {
    const params = await aClub()
    const hanging = await aMediaServer('jellyfin')
    const { serverId: hangs } = await connected(params, hanging)
    hanging.fail('silent')
    await readAgain({ ...params, serverId: hangs })
    await vi.waitFor(() => {
      expect(hanging.asked.length).toBeGreaterThan(3)
    }, WAIT)

    const other = await connect(params, await aMediaServer('plex', { films: [RAN] }))

    expect(await untilState(params, other.serverId, 'ready')).toMatchObject({ movies: 1 })
    expect((await list(params)).find(({ serverId }) => serverId === hangs)?.state).toBe('reading')
    hanging.fail(undefined)
  })

  test('a list is read again after an hour and replaces the earlier list', async () => {
    const params = await aClub()
    const standIn = await aMediaServer('jellyfin', { films: [ALIEN] })
    const { serverId } = await connected(params, standIn)
    const [alien, ran] = [
      await add(params, 'Alien', { ids: { tmdb: '348' } }),
      await add(params, 'Ran', { ids: { imdb: 'tt0089881' } }),
    ]
    standIn.state.library = { count: 1, film: () => RAN }

    clock.moveAhead(HOUR_MS + 60_000)
    // A queue sleeps by the real clock.
    await callOk(started, ENDPOINTS.readMediaServer, ana, { params: { ...params, serverId } })

    await vi.waitFor(async () => {
      expect((await copies(params, [alien, ran])).map(({ cardId }) => cardId)).toEqual([ran])
    }, WAIT)
    await vi.waitFor(async () => {
      expect(await rowsOf('media_list', params)).toHaveLength(1)
    }, WAIT)
  })

  test('a movie that a server lists twice is stored once', async () => {
    const params = await aClub()
    const films = [
      { ...ALIEN, id: 'same1' },
      { ...ALIEN, id: 'same1' },
      { ...ALIEN, id: 'other1', title: 'Alien (cut)' },
    ]
    const { name, movies } = await connected(params, await aMediaServer('plex', { films }))
    const alien = await add(params, 'Alien', { ids: { tmdb: '348' } })

    expect(movies).toBe(2)
    expect(await copies(params, [alien])).toEqual([{ cardId: alien, names: [name] }])
  })

  test('a disconnected server leaves no key, list or link', async () => {
    const params = await aClub()
    const { serverId } = await connected(params, await aMediaServer('jellyfin', { library: manyFilms(2_000) }))
    const card = await add(params, 'Film 7', { ids: { tmdb: '1000007' } })
    expect(await copies(params, [card])).toHaveLength(1)

    await callOk(started, ENDPOINTS.deleteMediaServer, ana, { params: { ...params, serverId } })

    expect(await list(params)).toEqual([])
    expect(await copies(params, [card])).toEqual([])
    expect(await rowsOf('media_server', params)).toEqual([])
    await vi.waitFor(async () => {
      expect(await rowsOf('media_movie', params)).toEqual([])
      expect(await rowsOf('media_list', params)).toEqual([])
    }, WAIT)
  })

  test('a server that is disconnected during a reading leaves no list', async () => {
    const params = await aClub()
    const standIn = await aMediaServer('jellyfin', { library: manyFilms(1_500) })
    const { film } = standIn.state.library
    const { promise: isAtEnd, resolve: arrive } = Promise.withResolvers<void>()
    let isDeleted: Promise<unknown> | undefined
    standIn.state.library = {
      count: 1_500,
      film: (index) => {
        if (index === 1_400) arrive()
        return film(index)
      },
    }
    const { serverId } = await connect(params, standIn)
    void isAtEnd.then(() => {
      isDeleted = callOk(started, ENDPOINTS.deleteMediaServer, ana, { params: { ...params, serverId } })
    })
    await vi.waitFor(() => {
      expect(isDeleted).toBeDefined()
    }, WAIT)
    await isDeleted

    await vi.waitFor(async () => {
      expect(await rowsOf('media_movie', params)).toEqual([])
      expect(await rowsOf('media_list', params)).toEqual([])
    }, WAIT)
    expect(await list(params)).toEqual([])
  })

  test('deleting a watchlist deletes the keys of its servers at once, and their lists in the background', async () => {
    const params = await aClub()
    await connected(params, await aMediaServer('plex', { library: manyFilms(600) }))

    await callOk(started, ENDPOINTS.deleteWatchlist, ana, { params })

    expect(await rowsOf('media_server', params)).toEqual([])
    await vi.waitFor(async () => {
      expect(await rowsOf('media_movie', params)).toEqual([])
    }, WAIT)
  })

  test('the new owner manages the servers after a handover', async () => {
    const params = await aClub()
    const { serverId } = await connected(params, await aMediaServer('jellyfin'))
    await callOk(started, ENDPOINTS.handOverWatchlist, ana, { params, body: { username: ben.username } })

    expect((await list(params, ana))[0]?.host).toBeNull()
    expect((await list(params, ben))[0]?.host).not.toBeNull()
    const place = { params: { ...params, serverId } }
    expect((await call(started, ENDPOINTS.deleteMediaServer, ana, place)).status).toBe(403)
    await callOk(started, ENDPOINTS.deleteMediaServer, ben, place)
  })

  test('removing a member disconnects the servers whose key they gave, and no others', async () => {
    const params = await aClub()
    const theirs = await connected(params, await aMediaServer('jellyfin'))
    const kept = await connected(params, await aMediaServer('emby'))
    await callOk(started, ENDPOINTS.handOverWatchlist, ana, { params, body: { username: ben.username } })
    const place = { params: { ...params, serverId: kept.serverId } }
    const token = (await aMediaServer('emby')).state.key
    await callOk(started, ENDPOINTS.changeMediaServer, ben, { ...place, body: { token } })

    await callOk(started, ENDPOINTS.removeMember, ben, { params: { ...params, username: ana.username } })

    expect((await list(params, ben)).map(({ serverId }) => serverId)).toEqual([kept.serverId])
    expect(await rowsOf('media_server', params)).toHaveLength(1)
    // Its list is removed in the background.
    const lists = (await rowsOf('media_list', params)) as { server_id: string; due_at: number | null }[]
    expect(lists.filter((row) => row.server_id === theirs.serverId && row.due_at === null)).toEqual([])
  })

  test('only one of two processes reads a server, and an interrupted reading leaves no list', async () => {
    const params = await aClub()
    const standIn = await aMediaServer('jellyfin', { films: [ALIEN] })
    const { serverId } = await connected(params, standIn)
    const reads = () => standIn.asked.filter(({ path }) => path === '/Items').length
    const before = reads()
    const second = await startApp(theDatabase(), { clock, mediaServers })
    onTestFinished(second.stop)
    // What a killed process leaves: a claim, and a list that is not complete.
    const by = { watchlist_id: params.watchlistId, server_id: serverId }
    await theDatabase().transaction(async (trx) => {
      const db = withTables<MediaTables>(trx)
      await db
        .insertInto('media_list')
        .values({ ...by, id: 'cut-off', due_at: null })
        .execute()
      const rest = { movie_key: 'tmdb:1', item_id: 'i', year: null }
      await db
        .insertInto('media_movie')
        .values({ watchlist_id: by.watchlist_id, list_id: 'cut-off', ...rest })
        .execute()
    })

    await readAgain({ ...params, serverId })
    await call(second, ENDPOINTS.readMediaServer, ben, { params: { ...params, serverId } })

    await vi.waitFor(async () => {
      expect((await rowsOf('media_list', params)).map(({ id }) => id)).not.toContain('cut-off')
    }, WAIT)
    await untilState(params, serverId, 'ready')
    expect(reads() - before).toBe(1)
  })

  describe('an installation without media servers', () => {
    let off: Started
    beforeEach(async () => {
      off = await startApp(theDatabase(), { clock })
      onTestFinished(off.stop)
    })

    test('an installation without media servers answers 404 and has no such feature', async () => {
      const params = await aClub()
      const paths = [
        await call(off, ENDPOINTS.listMediaServers, ana, { params }),
        await call(off, ENDPOINTS.connectMediaServer, ana, {
          params,
          body: { kind: 'plex', url: 'https://media.example.org', token: 'key' },
        }),
        await call(off, ENDPOINTS.listAvailability, ana, { params, query: { cards: 'none' } }),
      ]

      expect(paths.map(({ status }) => status)).toEqual([404, 404, 404])
      const config = await off.app.inject('/config.json')
      expect(config.json()).not.toHaveProperty('features.mediaServers')
    })
  })
})
