import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'
import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { catalogueSourceOf } from '../../../settings/catalogue-settings.ts'
import { productMigrations } from '../../../migrations/index.ts'
import type { Ports } from '../../../ports.ts'
import { readServerSettings } from '../../../settings/settings.ts'
import type { Tables } from '../../../tables.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { type CatalogueStandIn, startCatalogueStandIn } from '../../../testing/catalogue/stand-in.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'

const UPLOAD = /^http:\/\/marquee\.test\/images\/[0-9a-f]{64}-640\.webp$/u
const FILE = 'Alien (1979)\nA Film That No One Knows (1931)'
const MINUTE_MS = 60_000

let standIn: CatalogueStandIn
beforeAll(async () => {
  standIn = await startCatalogueStandIn()
})
afterAll(async () => {
  await standIn.stop()
})

const waiting = async (database: Database<unknown>) =>
  await database.withTables<Tables>().read.selectFrom('poster_request').select(['card_id', 'attempts']).execute()

async function importFilms(app: TestApp, by: Caller, watchlistId: string): Promise<void> {
  const body = { fileName: 'films.txt', fileData: Buffer.from(FILE).toString('base64') }
  const { id } = await callOk(app, ENDPOINTS.beginImport, by, { params: { watchlistId }, body })
  const params = { watchlistId, importId: id }
  await callOk(app, ENDPOINTS.applyImport, by, { params })
  const isDone = async () => (await callOk(app, ENDPOINTS.getImport, by, { params, query: {} })).state === 'applied'
  await vi.waitUntil(isDone, { timeout: 30_000, interval: 10 })
}

async function postersOf(app: TestApp, by: Caller, watchlistId: string) {
  const { cards } = await callOk(app, ENDPOINTS.listSuggestions, by, { params: { watchlistId }, query: {} })
  return Object.fromEntries(cards.map(({ title, imageUrl, posterState }) => [title, posterState ?? imageUrl]))
}

eachStatement({ product: productMigrations }, (theDatabase) => {
  const ports = (more: Partial<Ports> = {}): Partial<Ports> => {
    const source = catalogueSourceOf(readServerSettings({ CATALOGUE: 'tmdb', ...standIn.settings }))
    return {
      remotePosters: 'copy',
      ...(source && { catalogue: { source, masterKeys: [Buffer.alloc(32, 1)] } }),
      ...more,
    }
  }

  test('imported movies get their posters from the catalogue, even after an outage and a restart', async () => {
    const [clock, bus, ana] = [movableClock(), recordingBus(), aUser('ana')]
    standIn.fail('down')
    const first = await startApp(theDatabase(), ports({ clock, bus }))
    const { watchlist } = await aWatchlist(first, { owner: ana })
    await importFilms(first, ana, watchlist.id)
    await vi.waitUntil(async () => (await waiting(theDatabase())).some(({ attempts }) => attempts > 0), WITHIN)
    expect(await postersOf(first, ana, watchlist.id)).toEqual({ Alien: 'none', 'A Film That No One Knows': 'none' })
    const params = { watchlistId: watchlist.id }
    for (const _ of FILE.split('\n')) await callOk(first, ENDPOINTS.revealRandomCard, ana, { params })
    await first.stop()

    standIn.fail(undefined)
    clock.moveAhead(MINUTE_MS)
    const second = await startApp(theDatabase(), ports({ clock, bus }))
    await vi.waitUntil(async () => (await waiting(theDatabase())).length === 0, { timeout: 30_000 })

    const { cards } = await callOk(second, ENDPOINTS.listLibrary, ana, { params, query: { sort: 'title' } })
    expect(cards.map(({ title, posterState }) => [title, posterState])).toEqual([
      ['A Film That No One Knows', 'none'],
      ['Alien', undefined],
    ])
    expect(cards[1]?.imageUrl).toMatch(UPLOAD)
    expect(bus.kindsFor(watchlist.id).filter((kind) => kind === 'card-changed')).toHaveLength(1)
    await second.stop()
  })

  test('a poster waits at the background limit without using up an attempt, and members can still search', async () => {
    const clock = movableClock()
    let refusals = 0
    let isFull = true
    const limiter = {
      ...noRateLimiter,
      take: async (_name: string, key: string) => {
        if (!isFull || key !== 'tmdb in background') return await Promise.resolve(undefined)
        refusals += 1
        return { retryAfterSeconds: 60 }
      },
    }
    const first = await startApp(theDatabase(), ports({ clock, limiter }))
    const { watchlist, owner } = await aWatchlist(first)

    await importFilms(first, owner, watchlist.id)
    await vi.waitUntil(() => refusals > 0, WITHIN)
    const { results } = await callOk(first, ENDPOINTS.searchCatalogue, owner, { query: { q: 'city of god' } })
    await first.stop()
    const attempts = (await waiting(theDatabase())).map((row) => row.attempts)

    isFull = false
    clock.moveAhead(2 * MINUTE_MS)
    const second = await startApp(theDatabase(), ports({ clock, limiter }))
    await vi.waitUntil(async () => (await waiting(theDatabase())).length === 0, WITHIN)
    const { Alien: poster } = await postersOf(second, owner, watchlist.id)
    await second.stop()

    expect(results.map(({ title }) => title)).toEqual(['City of God'])
    expect(attempts).toEqual([0, 0])
    expect(poster).toMatch(UPLOAD)
  })

  test('imported cards stay without a poster, and queue no work, if there is no catalogue', async () => {
    const app = await startApp(theDatabase(), { remotePosters: 'copy' })
    const { watchlist, owner } = await aWatchlist(app)

    await importFilms(app, owner, watchlist.id)

    expect(await waiting(theDatabase())).toEqual([])
    expect(await postersOf(app, owner, watchlist.id)).toMatchObject({ Alien: 'none' })
    await app.stop()
  })
})
