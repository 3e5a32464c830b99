import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, type Caller, callOk } from './testing/call.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { recordStatements } from './testing/record-statements.ts'
import { startApp, type TestApp } from './testing/start-app.ts'

const TITLE = 'Vertigo'
const MOVIE = { originalTitle: 'Sueurs froides', directors: ['Alfred Hitchcock'] }
/** A word, a prefix of a title, of an original title and of a director, and several at once. */
const SEARCHES = ['vertigo', 'vert', 'sueu', 'hitchcock', 'a', 'vertigo hitch', 'vertigo qqqq']
const NO_CARD_HAS = ['qqqqqqq', 'qqqq', 'qqqq', 'qqqqqqqqq', 'q', 'qqqqqqq qqqqq', 'qqqqqqq qqqq']

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const [ana, ben, eve] = [aUser('ana'), aUser('ben'), aUser('eve')]
  const callers: Record<string, Caller | undefined> = { member: ben, stranger: eve, visitor: undefined }
  let app: TestApp & { stop: () => Promise<void> }
  let during: ReturnType<typeof recordStatements>['during']

  beforeAll(async () => {
    const recording = recordStatements(theDatabase())
    during = recording.during
    app = await startApp(recording.database, { allowGuests: true, announceAfterMs: 600_000 })
  })
  afterAll(async () => {
    await app.stop()
  })

  const add = async ({ id: watchlistId }: Watchlist, title = TITLE, movie: object = MOVIE) => {
    const body = { title, movie, image: 'https://example.org/a.jpg' }
    return { watchlistId, cardId: (await callOk(app, ENDPOINTS.addCard, ana, { params: { watchlistId }, body })).id }
  }
  type Params = Awaited<ReturnType<typeof add>>
  const move = async (params: Params, status: string) =>
    await callOk(app, ENDPOINTS.moveCard, ana, { params, body: { status } })
  const found = async ({ watchlistId }: Pick<Params, 'watchlistId'>) =>
    (await callOk(app, ENDPOINTS.listLibrary, ana, { params: { watchlistId }, query: { q: TITLE } })).cards.length

  async function runImport({ id: watchlistId }: Watchlist) {
    const body = { fileName: 'films.txt', fileData: Buffer.from(`${TITLE} (1958)`).toString('base64') }
    const { id: importId } = await callOk(app, ENDPOINTS.beginImport, ana, { params: { watchlistId }, body })
    const params = { watchlistId, importId }
    const settle = async (state: string) =>
      await vi.waitUntil(async () => (await callOk(app, ENDPOINTS.getImport, ana, { params })).state === state, {
        timeout: 30_000,
        interval: 10,
      })
    await callOk(app, ENDPOINTS.applyImport, ana, { params })
    await settle('applied')
    return { params, settle }
  }

  /** Every way in which a movie gets into the box and stays there, or leaves the watchlist from it. */
  const WAYS: Record<string, (watchlist: Watchlist) => Promise<unknown>> = {
    'was added': add,
    'was renamed in the box': async (watchlist) => {
      const params = await add(watchlist, 'Another', {})
      await callOk(app, ENDPOINTS.editCard, ana, { params, body: { title: TITLE, movie: MOVIE } })
    },
    'had its name in the box before': async (watchlist) => {
      const params = await add(watchlist)
      await callOk(app, ENDPOINTS.editCard, ana, { params, body: { title: 'Another', movie: {} } })
    },
    'was put back': async (watchlist) => {
      const params = await add(watchlist)
      await callOk(app, ENDPOINTS.revealRandomCard, ana, { params })
      expect(await found(params)).toBe(1)
      await move(params, 'SUGGESTED')
    },
    'was accepted, and put back after an undo': async (watchlist) => {
      const params = await add(watchlist)
      await callOk(app, ENDPOINTS.revealRandomCard, ana, { params })
      await move(params, 'WATCHED')
      await callOk(app, ENDPOINTS.undoMove, ana, { params })
      expect(await found(params)).toBe(1)
      await move(params, 'SUGGESTED')
    },
    'was renamed in the feed, and put back': async (watchlist) => {
      const params = await add(watchlist, 'Another', {})
      await callOk(app, ENDPOINTS.revealRandomCard, ana, { params })
      await callOk(app, ENDPOINTS.editCard, ana, { params, body: { title: TITLE, movie: MOVIE } })
      expect(await found(params)).toBe(1)
      await move(params, 'SUGGESTED')
    },
    'was imported': runImport,
    'was imported, and the import was undone': async (watchlist) => {
      const { params, settle } = await runImport(watchlist)
      await callOk(app, ENDPOINTS.undoImport, ana, { params })
      await settle('undone')
    },
    'was deleted from the box': async (watchlist) => {
      const params = await add(watchlist)
      await callOk(app, ENDPOINTS.deleteCard, ana, { params })
    },
    'was drawn in two steps, and put back': async (watchlist) => {
      const params = await add(watchlist)
      const { drawNumber } = await callOk(app, ENDPOINTS.prepareDraw, ana, { params, body: {} })
      const seeds = ['5e'.repeat(32)]
      await callOk(app, ENDPOINTS.revealDraw, ana, {
        params: { ...params, drawNumber: String(drawNumber) },
        body: { seeds },
      })
      expect(await found(params)).toBe(1)
      await move(params, 'SUGGESTED')
    },
  }

  const statementsOf = async (caller: Caller | undefined, watchlistId: string, q: string) =>
    await during(async () => {
      const answer = await call(app, ENDPOINTS.listLibrary, caller, { params: { watchlistId }, query: { q } })
      expect([answer.status, answer.body]).toEqual([200, { cards: [], nextToken: null }])
    })

  /** The searches that send other statements than a search for no movie. */
  async function tellingSearches(watchlistId: string): Promise<string[]> {
    const telling: string[] = []
    for (const [who, caller] of Object.entries(callers)) {
      for (const [n, q] of SEARCHES.entries()) {
        const inBox = await statementsOf(caller, watchlistId, q)
        const nowhere = await statementsOf(caller, watchlistId, NO_CARD_HAS[n] ?? '')
        if (inBox.length < 2 || inBox.join(';') !== nowhere.join(';')) telling.push(`${who}: ${q}`)
      }
    }
    return telling
  }

  test.each(Object.keys(WAYS))(
    'a search sends the same statements for a movie that %s as for no movie',
    async (way) => {
      const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben] })

      await WAYS[way]?.(watchlist)

      expect(await tellingSearches(watchlist.id)).toEqual([])
    },
  )

  test('a search sends the same statements for a restored card in the box as for no movie', async () => {
    const { watchlist } = await aWatchlist(app, { owner: ana })
    await add(watchlist)
    const body = await callOk(app, ENDPOINTS.exportWatchlist, ana, { params: { watchlistId: watchlist.id } })

    const restored = await callOk(app, ENDPOINTS.restoreWatchlist, ana, { body })

    const params = { watchlistId: restored.id }
    expect(await callOk(app, ENDPOINTS.countSuggestedCards, ana, { params })).toEqual({ count: 1 })
    expect(await tellingSearches(restored.id)).toEqual([])
    await callOk(app, ENDPOINTS.revealRandomCard, ana, { params })
    expect(await found(params)).toBe(1)
  })
})
