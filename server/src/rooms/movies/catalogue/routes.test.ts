import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { RATE_LIMITS } from '@marquee/contract/rate-limits'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { catalogueSourceOf } from '../../../settings/catalogue-settings.ts'
import { productMigrations } from '../../../migrations/index.ts'
import { readServerSettings } from '../../../settings/settings.ts'
import { call, callOk } from '../../../testing/call.ts'
import { type CatalogueStandIn, startCatalogueStandIn } from '../../../testing/catalogue/stand-in.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { PUBLIC_URL, startApp, type TestApp } from '../../../testing/start-app.ts'

const MASTER_KEYS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const ALIEN = { source: 'tmdb', id: '348' }

let standIn: CatalogueStandIn
beforeAll(async () => {
  standIn = await startCatalogueStandIn()
})
afterAll(async () => {
  await standIn.stop()
})
afterEach(() => {
  standIn.fail(undefined)
})

anyDatabase({ product: productMigrations }, (theDatabase) => {
  let started: TestApp & { stop: () => Promise<void> }
  const ana = aUser()

  beforeAll(async () => {
    const source = catalogueSourceOf(readServerSettings({ CATALOGUE: 'tmdb', ...standIn.settings }))
    started = await startApp(theDatabase(), {
      limiter: localRateLimiter(),
      ...(source && { catalogue: { source, masterKeys: MASTER_KEYS } }),
    })
  })
  afterAll(async () => {
    await started.stop()
  })

  const get = async (url: string) => await started.app.inject(url.replace(PUBLIC_URL, ''))
  const search = async (q: string, who = ana) => await call(started, ENDPOINTS.searchCatalogue, who, { query: { q } })
  const readLink = async (url: string, who = ana) =>
    await call(started, ENDPOINTS.readCatalogueLink, who, { body: { url } })

  test('search results have pictures that this server serves', async () => {
    const { body } = await search('alien')
    const [alien] = body.results
    const picture = await get(alien?.posterUrl ?? '')

    expect(body.results).toHaveLength(2)
    expect(alien).toEqual({
      ...ALIEN,
      title: 'Alien',
      originalTitle: 'Alien',
      year: 1979,
      directors: ['Ridley Scott'],
      posterUrl: expect.stringMatching(/^http:\/\/marquee\.test\/images\/posters\//u) as string,
    })
    expect(picture.statusCode).toBe(200)
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    })
  })

  test('a picture request with a wrong signature or a changed address is rejected', async () => {
    const { body } = await search('alien')
    const url = new URL(body.results[0]?.posterUrl ?? '')
    const [, , , signature = ''] = url.pathname.split('/')
    const other = body.results[1]?.posterUrl?.split('/').at(-1)?.split('?')[0] ?? ''

    expect((await get(url.href.replace(signature, other))).statusCode).toBe(404)
    expect((await get(url.href.replace(signature, 'x'))).statusCode).toBe(404)
    expect((await get(`${url.href}0`)).statusCode).toBe(404)
    expect((await get(url.href.split('?')[0] ?? '')).statusCode).toBe(400)
  })

  test('a picture with a signature from an earlier master key is served, but not one from an unknown key', async () => {
    const source = catalogueSourceOf(readServerSettings({ CATALOGUE: 'tmdb', ...standIn.settings }))
    const statusOfSignedWith = async (masterKey: Buffer) => {
      const other = await startApp(theDatabase(), {
        ...(source && { catalogue: { source, masterKeys: [masterKey] } }),
      })
      const { body } = await call(other, ENDPOINTS.searchCatalogue, ana, { query: { q: 'alien' } })
      await other.stop()
      return (await get(body.results[0]?.posterUrl ?? '')).statusCode
    }

    expect(await statusOfSignedWith(Buffer.alloc(32, 1))).toBe(200)
    expect(await statusOfSignedWith(Buffer.alloc(32, 2))).toBe(200)
    expect(await statusOfSignedWith(Buffer.alloc(32, 3))).toBe(404)
  })

  test('the details of a movie have a picture that a card can use', async () => {
    const { body } = await call(started, ENDPOINTS.readCatalogueMovie, ana, { params: ALIEN })
    const { watchlist, owner } = await aWatchlist(started)
    const card = await callOk(started, ENDPOINTS.addCard, owner, {
      params: { watchlistId: watchlist.id },
      body: { title: body.title, description: body.description, image: body.posterUrl },
    })

    expect(body.movie).toMatchObject({ year: 1979, source: 'tmdb', ids: { imdb: 'tt0078748' } })
    expect(body.posterUrl).toMatch(/^http:\/\/marquee\.test\/images\/[0-9a-f]{64}-640\.webp$/u)
    expect(card.imageUrl).toBe(body.posterUrl)
    expect((await get(card.imageUrl)).headers['content-type']).toBe('image/webp')
  })

  test('reading a link returns the details of its movie', async () => {
    const { status, body } = await readLink('https://www.imdb.com/title/tt0078748/')

    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'Alien', movie: { year: 1979 } })
  })

  test.each(['http://127.0.0.1/', 'http://10.0.0.1/film', 'https://user@example.org/', 'Alien', 'javascript:alert(1)'])(
    'the link %s is rejected with the same general message',
    async (url) => {
      const { status, body } = await readLink(url)

      expect(status).toBe(400)
      expect(body).toEqual({ type: 'BAD_REQUEST', message: 'No movie was found at this link' })
    },
  )

  test.each([
    ['wikidata', 'Q103569'],
    ['tmdb', '1'],
    ['tmdb', 'Q103569'],
  ])('reading the movie %s %s gets 404', async (source, id) => {
    const { status } = await call(started, ENDPOINTS.readCatalogueMovie, ana, { params: { source, id } })

    expect(status).toBe(404)
  })

  test('all calls say when to try again while the source is down', async () => {
    standIn.fail('down')

    const answers = [
      await search('casablanca'),
      await call(started, ENDPOINTS.readCatalogueMovie, ana, { params: { source: 'tmdb', id: '289' } }),
      await readLink('https://www.themoviedb.org/movie/289'),
    ]

    for (const { status, headers, body } of answers) {
      expect(status).toBe(503)
      expect(headers['retry-after']).toBe('5')
      expect(body).toEqual({
        type: 'SERVICE_UNAVAILABLE',
        message: 'The service is unavailable. Please try again in a moment.',
      })
    }
  })

  test('a user who reads too many links gets 429 but can still search, and other users can read links', async () => {
    const eve = aUser('eve')
    for (let n = 0; n < RATE_LIMITS.catalogueLink.max; n += 1) await readLink('nothing', eve)

    expect((await readLink('nothing', eve)).status).toBe(429)
    expect((await readLink('nothing')).status).toBe(400)
    expect((await search('alien', eve)).status).toBe(200)
  })
})
