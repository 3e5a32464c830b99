import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { localRateLimiter, noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { systemClock } from '@marquee/platform/runtime/clock'
import { WITHIN } from '@marquee/platform/testing/within'

import { catalogueSourceOf } from '../../../settings/catalogue-settings.ts'
import { createParser } from '../../../parsing/parser.ts'
import { readServerSettings } from '../../../settings/settings.ts'
import { type CatalogueStandIn, startCatalogueStandIn, type Trouble } from '../../../testing/catalogue/stand-in.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { createSourceClient, type SourceClient } from './client.ts'
import { type Lookup, type LookupPorts, openLookup } from './lookup.ts'
import { createCatalogue } from './service.ts'
import { SourceUnavailable } from './source.ts'

let standIn: CatalogueStandIn
beforeAll(async () => {
  standIn = await startCatalogueStandIn()
})
afterAll(async () => {
  await standIn.stop()
})

/** Every host name leads to the stand-in; other addresses stay forbidden. */
const guard = {
  lookup: async () => await Promise.resolve(['127.0.0.1']),
  allowAddress: (ip: string) => ip === '127.0.0.1',
  allowPort: () => true,
}

const world: LookupPorts = {
  limiter: noRateLimiter,
  clock: systemClock,
  userAgent: 'Test/1',
  ...createParser({ logger: pino({ level: 'silent' }) }),
}

function optionsOf(kind: string) {
  const source = catalogueSourceOf(readServerSettings({ CATALOGUE: kind, ...standIn.settings }))
  if (!source) throw new Error('The catalogue is switched off')
  return { source, guard }
}

function open(kind: string, ports: Partial<LookupPorts> = {}): Lookup {
  return openLookup(optionsOf(kind), { ...world, ...ports })
}

/** No test ends by it, however slow the machine is. */
const soon = () => AbortSignal.timeout(120_000)

describe.each(['wikidata', 'tmdb'])('%s', (kind) => {
  const idOfAlien = kind === 'tmdb' ? '348' : 'Q103569'
  const search = async (text: string, language = 'en') => await open(kind).search(text, language, soon())

  test.each([
    ['ali', ['Alien', 'Aliens']],
    ['Alien', ['Alien', 'Aliens']],
    ['blade runner', ['Blade Runner', 'Blade Runner 2049']],
    ['blade runner 2049', ['Blade Runner 2049']],
    ['2001', ['2001: A Space Odyssey']],
    ['amelie', ['Amélie']],
    ['le fabuleux destin', ['Amélie']],
    ['"Stalker" -(1979)', ['Stalker']],
    ['wall-e', ['WALL·E']],
    ['alien OR insource:x', []],
    ['no such film', []],
    ['!?', []],
  ])('the search for %j finds %j first', async (text, titles) => {
    const found = await search(text)

    expect(found.slice(0, titles.length || 20).map(({ title }) => title)).toEqual(titles)
  })

  test.each([
    ['suspiria', 1977],
    ['suspiria 2018', 2018],
    ['Suspiria (1977)', 1977],
  ])('the search for %j finds the film from %i first', async (text, year) => {
    const [first] = await search(text)

    expect(first).toMatchObject({ title: 'Suspiria', year })
  })

  test('a search result has facts and a picture', async () => {
    const [first] = await search('city of god')

    expect(first).toMatchObject({
      title: 'City of God',
      originalTitle: 'Cidade de Deus',
      year: 2002,
      directors: ['Fernando Meirelles', 'Kátia Lund'],
    })
    expect(await open(kind).picture(first?.picture ?? '', kind, soon())).toMatchObject({ type: 'image/png' })
  })

  test('a picture at a local address is fetched if the source names it, but not if a page does', async () => {
    const [first] = await search('alien')
    const lookup = openLookup({ source: optionsOf(kind).source }, world)

    expect(await lookup.picture(first?.picture ?? '', kind, soon())).toBeDefined()
    expect(await lookup.picture(first?.picture ?? '', 'page', soon())).toBeUndefined()
  })

  test('titles are in the language of the reader', async () => {
    const [first] = await search('der pate', 'de-AT')

    expect(first).toMatchObject({ title: 'Der Pate', originalTitle: 'The Godfather' })
  })

  test('the details of a movie are complete', async () => {
    const lookup = open(kind)
    const [first] = await lookup.search('alien', 'en', soon())

    const details = await lookup.details(first?.id ?? '', 'en', soon())

    expect(details).toMatchObject({
      title: 'Alien',
      description: expect.stringMatching(/^Alien is a film from 1979\./u) as string,
      movie: {
        year: 1979,
        runtimeMinutes: 117,
        genres: ['Horror', 'Science fiction'],
        directors: ['Ridley Scott'],
        originalTitle: 'Alien',
        language: 'en',
        source: kind,
        ids: { tmdb: '348', imdb: 'tt0078748', wikidata: 'Q103569' },
      },
    })
    expect(details?.movie.ids.letterboxd).toBe(kind === 'wikidata' ? 'alien' : undefined)
  })

  test('a summary that is missing in the language of the reader is shown in English', async () => {
    const lookup = open(kind)
    const [first] = await lookup.search('parasite', 'de', soon())

    const details = await lookup.details(first?.id ?? '', 'de', soon())

    expect(details).toMatchObject({
      title: 'Parasite',
      description: expect.stringContaining('is a film') as string,
      movie: { originalTitle: '기생충', language: 'ko' },
    })
  })

  test.each(['Q4', '4', 'Q1860', 'nonsense'])('the id %s finds no movie', async (id) => {
    expect(await open(kind).details(id, 'en', soon())).toBeUndefined()
  })

  test('equal searches reach the source once, and carry the user agent', async () => {
    const lookup = open(kind)
    const before = standIn.asked().length

    const [one, other] = await Promise.all(
      ['memento', 'Memento!'].map(async (text) => await lookup.search(text, 'en', soon())),
    )
    const once = standIn.asked().length - before
    const again = await lookup.search('memento', 'en', soon())

    expect(one).toHaveLength(1)
    expect(other).toEqual(one)
    expect(again).toEqual(one)
    expect(standIn.asked().length - before).toBe(once)
    expect(standIn.headers().at(-1)).toMatchObject({ 'user-agent': 'Test/1' })
  })

  describe('a source that fails', () => {
    afterAll(() => {
      standIn.fail(undefined)
    })

    test.each<Trouble>(['down', 'slow', 'limited', 'nonsense', 'html', 'huge', 'bomb', 'redirect'])(
      'the trouble %s makes the source unavailable',
      async (trouble) => {
        standIn.fail(trouble)
        const deadline = trouble === 'slow' ? AbortSignal.timeout(300) : soon()

        const searching = open(kind).search('alien', 'en', deadline)
        await expect(searching).rejects.toThrow(SourceUnavailable)
        await expect(open(kind).details(idOfAlien, 'en', deadline)).rejects.toThrow(SourceUnavailable)
      },
    )

    test('a source is not asked again before the retry time that it named', async () => {
      const clock = movableClock()
      const lookup = open(kind, { clock })
      const read = async () => await lookup.details(idOfAlien, 'en', soon())
      standIn.fail('limited')
      await expect(read()).rejects.toMatchObject({ retryAfterSeconds: 7 })
      standIn.fail(undefined)
      const before = standIn.asked().length

      clock.moveAhead(6_000)
      await expect(read()).rejects.toMatchObject({ retryAfterSeconds: 5 })
      expect(standIn.asked().length).toBe(before)
      clock.moveAhead(1_000)
      expect(await read()).toMatchObject({ title: 'Alien' })
    })

    test('a source is not asked beyond the limit that all users share', async () => {
      const before = standIn.asked().length
      const limiter = { ...noRateLimiter, take: async () => await Promise.resolve({ retryAfterSeconds: 40 }) }

      const searching = open(kind, { limiter }).search('alien', 'en', soon())

      await expect(searching).rejects.toMatchObject({ retryAfterSeconds: 40 })
      expect(standIn.asked().length).toBe(before)
    })
  })

  describe('a link', () => {
    const read = async (link: string) =>
      await open(kind).fromLink(link.replace('{port}', new URL(standIn.origin).port), 'en', soon())

    test.each([
      ['http://www.themoviedb.org:{port}/movie/348-alien?language=de', 'Alien'],
      ['http://www.imdb.com:{port}/title/tt0078748/', 'Alien'],
      ['http://m.imdb.com:{port}/de/title/tt0078748/?ref_=share', 'Alien'],
      ['http://letterboxd.com:{port}/film/alien/', 'Alien'],
      ['http://boxd.it:{port}/2awY', 'Alien'],
      ['http://trakt.tv:{port}/movies/suspiria-2018', 'Suspiria'],
      ['http://www.wikidata.org:{port}/wiki/Q47703', 'The Godfather'],
      ['http://www.wikidata.org:{port}/entity/Q47703', 'The Godfather'],
      ['http://en.wikipedia.org:{port}/wiki/Alien_(film)', 'Alien'],
      ['Watch this! Alien (1979) http://www.imdb.com:{port}/title/tt0078748/.', 'Alien'],
    ])('the link %s finds %s with the facts of the source', async (link, title) => {
      expect(await read(link)).toMatchObject({ title, movie: { source: kind } })
    })

    test.each([
      [
        '/cinema',
        {
          title: 'Stalker & Co',
          description: 'A zone.',
          movie: {
            year: 1979,
            runtimeMinutes: 163,
            genres: ['Drama'],
            directors: ['Andrei Tarkovsky'],
            language: 'ru',
          },
        },
      ],
      ['/preview', { title: 'Stalker', description: 'A zone.', movie: { year: 1979, runtimeMinutes: null } }],
      ['/broken', { title: 'Stalker', description: null, movie: { year: null, directors: [] } }],
    ])('the page %s provides the facts of its movie', async (path, facts) => {
      const details = await read(`http://films.example.org:{port}${path}`)

      expect(details).toMatchObject(facts)
      expect(details?.movie).toMatchObject({ source: 'page', ids: {} })
    })

    // Without limits the first two take longer than a test may.
    test.each(['/deep', '/spaces', '/values'])('the page %s, built to keep the server busy, is read', async (path) => {
      expect(await read(`http://films.example.org:{port}${path}`)).toMatchObject({ title: 'Stalker' })
    })

    test.each([
      'http://films.example.org:{port}/nothing',
      'http://films.example.org:{port}/not-there',
      'http://films.example.org:{port}/poster.png',
      'http://films.example.org:{port}/leads-inside',
      'http://www.imdb.com:{port}/title/tt9999999/',
      'http://www.wikidata.org:{port}/wiki/Q1860',
      'http://10.0.0.1/',
      'http://[::1]/',
      'http://user@films.example.org:{port}/cinema',
      'file:///etc/passwd',
      'no link at all',
    ])('the link %s finds no movie', async (link) => {
      expect(await read(link)).toBeUndefined()
    })
  })
})

test('background requests use a third of the rate limit of a source, and members the rest', async () => {
  const limits = { limit: { max: 3, windowSeconds: 60 }, parallel: 8 }
  const client = createSourceClient('films', limits, { ...world, limiter: localRateLimiter() })
  const url = new URL(`${standIn.settings['TMDB_IMAGES_URL'] ?? ''}/w500/alien.png`)
  const ask = async (by: SourceClient) =>
    await by.bytes(url, 1_000_000, soon()).then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )

  const answers: string[] = []
  for (const by of [client.inBackground, client.inBackground, client, client, client]) answers.push(await ask(by))

  const refused = 'films: the limit of our own is reached'
  expect(answers).toEqual(['answered', refused, 'answered', 'answered', refused])
})

test('only one background request runs at a time, and leaves the other slots to members', async () => {
  const asked: string[] = []
  const answer: (() => void)[] = []
  const { port } = await aWebServer(({ url = '' }, response) => {
    asked.push(url)
    if (url === '/member') response.end()
    else answer.push(() => response.end())
  })
  const client = createSourceClient('films', { limit: { max: 100, windowSeconds: 60 }, parallel: 3 }, world)
  const ask = async (by: SourceClient, path: string) =>
    await by.bytes(new URL(`http://127.0.0.1:${port}/${path}`), 100, soon())

  const waiting = ['1', '2', '3'].map(async (path) => await ask(client.inBackground, path))
  await vi.waitUntil(() => asked.length > 0, WITHIN)
  await ask(client, 'member')
  for (const before of [1, 2, 3]) {
    await vi.waitUntil(() => answer.length === before, WITHIN)
    answer.at(-1)?.()
  }
  await Promise.all(waiting)

  expect(asked).toEqual(['/1', '/member', '/2', '/3'])
})

test('only the first 512 kB of a page are read, and a movie behind them is not found', async () => {
  const { port } = new URL(standIn.origin)
  let bytes = 0
  const parsePage: LookupPorts['parsePage'] = async (page, deadline) => {
    bytes = page.bytes.length
    return await world.parsePage(page, deadline)
  }
  const link = `http://films.example.org:${port}/long`

  expect(await open('wikidata', { parsePage }).fromLink(link, 'en', soon())).toBeUndefined()
  expect(bytes).toBe(512 * 1024)
})

test('the deadline of a call also ends the parsing of a page', async () => {
  const { port } = new URL(standIn.origin)
  const leaving = new AbortController()
  const parsePage: LookupPorts['parsePage'] = async (_page, deadline) => {
    leaving.abort()
    expect(deadline.aborted).toBe(true)
    return await Promise.resolve(undefined)
  }
  const link = `http://films.example.org:${port}/cinema`

  expect(await open('wikidata', { parsePage }).fromLink(link, 'en', leaving.signal)).toBeUndefined()
  expect(leaving.signal.aborted).toBe(true)
})

test('a source that is too slow counts as unavailable', async () => {
  const images = { keepFetched: async () => await Promise.resolve(''), urlOf: () => '' }
  const options = { ...optionsOf('wikidata'), masterKeys: [] }
  const catalogue = createCatalogue({ ...world, images, publicUrl: 'http://marquee.test', catalogue: options })
  standIn.fail('slow')

  await expect(catalogue.search('alien', 'en')).rejects.toThrow(SourceUnavailable)

  standIn.fail(undefined)
})
