import { beforeAll, describe, expect, test } from 'vitest'

import type { Statistics } from '@marquee/contract/entities/statistics'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { MoveTarget } from '@marquee/contract/rules/card-moves'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'
import type { CardTables } from '../../movies/cards/card/store.ts'

eachDatabase({ product: productMigrations }, (theDatabase) => {
  let now = '2025-01-01T12:00:00.000Z'
  const theApp = anApp(theDatabase, { clock: { now: () => new Date(now) } })
  const ana = aUser('ana')
  const ben = aUser('ben')
  const cleo = aUser('cleo')
  let watchlistId: string

  const read = async (query: Record<string, string> = {}): Promise<Statistics> =>
    await callOk(theApp(), ENDPOINTS.getStatistics, ana, { params: { watchlistId }, query })

  async function add(title: string, { by = ana, runtimeMinutes = null as number | null } = {}): Promise<string> {
    const body = { title, image: 'https://example.org/a.jpg', movie: { runtimeMinutes } }
    return (await callOk(theApp(), ENDPOINTS.addCard, by, { params: { watchlistId }, body })).id
  }
  /** Reveals the only card in the box. */
  async function reveal(): Promise<string> {
    return (await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId } })).id
  }
  async function move(cardId: string, status: MoveTarget): Promise<void> {
    await callOk(theApp(), ENDPOINTS.moveCard, ana, { params: { watchlistId, cardId }, body: { status } })
  }
  async function watch(title: string, options?: { by?: Caller; runtimeMinutes?: number }): Promise<void> {
    await add(title, options)
    await move(await reveal(), 'WATCHED')
  }

  describe('the statistics of a watchlist', () => {
    beforeAll(async () => {
      watchlistId = (await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] })).watchlist.id
      now = '2025-01-10T20:00:00.000Z'
      await add('Ran', { by: ben, runtimeMinutes: 162 })
      now = '2025-03-01T20:00:00.000Z'
      const ran = await reveal()
      await move(ran, 'SUGGESTED')
      now = '2025-03-02T20:00:00.000Z'
      await reveal()
      await move(ran, 'WATCHED')
      // New Year's Eve in London, the new year in Berlin.
      now = '2025-12-31T23:30:00.000Z'
      await watch('Alien', { runtimeMinutes: 117 })
      now = '2026-02-05T20:00:00.000Z'
      await watch('Stalker')
      await add('Cats', { by: ben })
      now = '2026-02-06T21:00:00.000Z'
      await move(await reveal(), 'REJECTED')
      await add('Still in the box', { by: cleo, runtimeMinutes: 90 })
    })

    test('a member who requests many statistics at once gets 503, and another member does not', async () => {
      const ask = async (who: typeof ana) =>
        (await call(theApp(), ENDPOINTS.getStatistics, who, { params: { watchlistId } })).status
      const own = Promise.all(Array.from({ length: 20 }, async () => await ask(ana)))
      const [others, statuses] = [await ask(ben), await own]

      expect(others).toBe(200)
      expect(new Set(statuses)).toEqual(new Set([200, 503]))
    })

    test('the statistics of a watchlist count watched movies by month and by suggester', async () => {
      const all = await read()

      expect(all).toMatchObject({
        watched: { movies: 3, runtimeMinutes: 279, moviesWithoutRuntime: 1 },
        putBack: 1,
        declined: 1,
        suggesters: [
          { username: 'ana', movies: 2, rating: null },
          { username: 'ben', movies: 1, rating: null },
        ],
        firstMovie: { title: 'Ran', creatorId: 'ben', statusChangedAt: '2025-03-02T20:00:00.000Z' },
        lastMovie: { title: 'Stalker', creatorId: 'ana' },
        lastMovies: [{ title: 'Ran' }, { title: 'Alien' }, { title: 'Stalker' }],
      })
      expect(all.months.filter(({ movies }) => movies > 0)).toEqual([
        { month: '2025-03', movies: 1, runtimeMinutes: 162 },
        { month: '2025-12', movies: 1, runtimeMinutes: 117 },
        { month: '2026-02', movies: 1, runtimeMinutes: 0 },
      ])
      expect(all.months).toHaveLength(12)
    })

    test('the longest waits are listed in days before the first reveal, without waits of less than a day', async () => {
      const { longestWaits } = await read()

      expect(longestWaits.map(({ movie, days }) => [movie.title, days])).toEqual([
        ['Ran', 50],
        ['Cats', 1],
      ])
    })

    test('the members who are due are sorted by their last watched movie, longest ago first', async () => {
      const { due } = await read({ from: '2026-01-01' })

      expect(due.map(({ username, lastWatchedAt }) => [username, lastWatchedAt])).toEqual([
        ['cleo', null],
        ['ben', '2025-03-02T20:00:00.000Z'],
        ['ana', '2026-02-05T20:00:00.000Z'],
      ])
    })

    test.each([
      ['UTC', { from: '2026-01-01', to: '2026-12-31', timeZone: 'UTC' }, [['2026-02', 1]], 1],
      [
        'Berlin',
        { from: '2026-01-01', to: '2026-12-31', timeZone: 'Europe/Berlin' },
        [
          ['2026-01', 1],
          ['2026-02', 1],
        ],
        1,
      ],
      ['a first day', { from: '2025-12-31', to: '2025-12-31' }, [['2025-12', 1]], 0],
      ['a time without movies', { from: '2024-01-01', to: '2024-12-31' }, [], 0],
    ])('the statistics for the days of %s have the right months', async (_what, query, months, declined) => {
      const found = await read(query)

      expect(found.months.map(({ month, movies }) => [month, movies])).toEqual(months)
      expect(found.declined).toBe(declined)
    })

    test('the statistics of a watchlist are empty for a period without movies', async () => {
      expect(await read({ to: '2024-12-31' })).toMatchObject({
        watched: { movies: 0, runtimeMinutes: 0, moviesWithoutRuntime: 0 },
        putBack: 0,
        suggesters: [],
        longestWaits: [],
        firstMovie: null,
        lastMovie: null,
      })
    })

    test('the statistics show ratings only of watched movies that the caller has marked as seen', async () => {
      const rate = async (title: string, by: Caller, stars: number | null) => {
        const { cards } = await callOk(theApp(), ENDPOINTS.listLibrary, ana, {
          params: { watchlistId },
          query: { q: title },
        })
        const params = { watchlistId, cardId: cards[0]?.id ?? '' }
        await callOk(theApp(), ENDPOINTS.saveViewing, by, { params, body: { stars } })
      }
      await rate('Ran', ben, 5)
      await rate('Ran', cleo, 4.5)
      await rate('Alien', ana, 5)
      await rate('Alien', ben, 1)
      await rate('Stalker', ana, 5)
      // Declined, so not watched.
      await rate('Cats', ana, 1)
      await rate('Cats', ben, 5)

      const hidden = await read()
      await rate('Ran', ana, null)
      const shown = await read()

      const brief = ({ mostLoved, mostDivisive, suggesters }: Statistics) => ({
        loved: mostLoved.map(({ movie, average, count }) => [movie.title, average, count]),
        divisive: mostDivisive.map(({ movie, lowest, highest }) => [movie.title, lowest, highest]),
        suggesters: suggesters.map(({ username, rating }) => [username, rating?.average ?? null, rating?.count ?? 0]),
      })
      expect(brief(hidden)).toEqual({
        loved: [['Alien', 3, 2]],
        divisive: [['Alien', 1, 5]],
        suggesters: [
          ['ana', 3.7, 3],
          ['ben', null, 0],
        ],
      })
      expect(brief(shown)).toEqual({
        loved: [
          ['Ran', 4.8, 2],
          ['Alien', 3, 2],
        ],
        divisive: [['Alien', 1, 5]],
        suggesters: [
          ['ana', 3.7, 3],
          ['ben', 4.8, 2],
        ],
      })
      expect((await read({ from: '2026-02-01' })).mostLoved).toEqual([])
    })

    test('the statistics of a watchlist leave out a movie whose acceptance was undone', async () => {
      now = '2026-06-01T20:00:00.000Z'
      const body = { title: 'Brazil', image: 'https://example.org/a.jpg', revealImmediately: true }
      const { id: cardId } = await callOk(theApp(), ENDPOINTS.addCard, ana, { params: { watchlistId }, body })
      await move(cardId, 'WATCHED')
      await callOk(theApp(), ENDPOINTS.undoMove, ana, { params: { watchlistId, cardId } })

      expect((await read({ from: '2026-06-01' })).watched.movies).toBe(0)
    })

    test.each([
      [{ from: '2026-02-30' }, 'from: '],
      [{ from: '2026-02-02', to: '2026-02-01' }, 'from: The first day is after the last'],
      [{ timeZone: 'Mars/Olympus' }, 'timeZone: This is not a time zone'],
      [{ timeZone: '+02:00' }, 'timeZone: This is not a time zone'],
    ])('a request for statistics with the query %j is rejected', async (query, message) => {
      const { status, body } = await call(theApp(), ENDPOINTS.getStatistics, ana, { params: { watchlistId }, query })

      expect([status, body.type]).toEqual([400, 'BAD_REQUEST'])
      expect(body.message).toContain(message)
    })
  })

  describe('the statistics of movie nights and draws', () => {
    const SEEDS = ['5e'.repeat(32)]

    beforeAll(async () => {
      now = '2025-05-01T20:00:00.000Z'
      watchlistId = (await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] })).watchlist.id
      for (const title of ['Ran', 'Alien', 'Stalker', 'Brazil']) await add(title)
      await add('Cats', { by: ben })
    })

    const params = () => ({ watchlistId })
    const prepare = async (picks: number) =>
      (await callOk(theApp(), ENDPOINTS.prepareDraw, ana, { params: params(), body: { picks } })).drawNumber
    const drawAll = async (picks: number) => {
      const drawNumber = await prepare(picks)
      const body = { seeds: SEEDS }
      const { cards } = await callOk(theApp(), ENDPOINTS.revealDraw, ana, {
        params: { ...params(), drawNumber: String(drawNumber) },
        body,
      })
      for (const { id } of cards) await move(id, 'SUGGESTED')
    }
    const setRule = async (rule: 'cards' | 'people') =>
      await callOk(theApp(), ENDPOINTS.setDrawRule, ana, { params: params(), body: { rule, rest: 0 } })
    /** A night with a vote of these people, each of whom vetoes the first card. */
    async function holdNight(people: readonly Caller[], time: string) {
      now = time
      const { id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, ana, { params: params() })
      for (const by of people) await callOk(theApp(), ENDPOINTS.arriveAtNight, by, { params: { nightId } })
      const drawNumber = await prepare(3)
      const { vote } = await callOk(theApp(), ENDPOINTS.openVote, ana, {
        params: { nightId },
        body: { drawNumber, seeds: SEEDS },
      })
      const ids = vote?.cards.map(({ cardId }) => cardId) ?? []
      const body = { drawNumber, scores: Object.fromEntries(ids.map((id) => [id, 1 as const])), veto: ids[0] ?? '' }
      for (const by of people) await callOk(theApp(), ENDPOINTS.castBallot, by, { params: { nightId }, body })
      await move(ids[1] ?? '', 'SUGGESTED')
      await callOk(theApp(), ENDPOINTS.endNight, ana, { params: { nightId } })
    }

    test('the statistics compare no picks for draws whose rule ignores people', async () => {
      await drawAll(3)

      expect(await read()).toMatchObject({ nights: { held: 0, vetoed: 0, attendance: [] }, fairness: [] })
    })

    test('the statistics compare the expected picks of each person with the actual ones', async () => {
      await setRule('people')
      // Ben has one card: in the first draw both are expected as often, in the second all cards are drawn.
      now = '2025-05-02T20:00:00.000Z'
      await drawAll(1)
      const first = (await read({ from: '2025-05-02' })).fairness
      now = '2025-05-03T20:00:00.000Z'
      await drawAll(5)
      const second = (await read({ from: '2025-05-03' })).fairness
      await setRule('cards')

      expect(first.map(({ username, expected }) => [username, expected])).toEqual([
        ['ana', 0.5],
        ['ben', 0.5],
      ])
      expect(new Set(first.map(({ actual }) => actual))).toEqual(new Set([0, 1]))
      expect(second.map(({ username, actual }) => [username, actual])).toEqual([
        ['ana', 4],
        ['ben', 1],
      ])
      expect(second.reduce((sum, { expected }) => sum + expected, 0)).toBeCloseTo(5)
      expect((await read({ to: '2025-05-01' })).fairness).toEqual([])
    })

    test('the statistics count nights, attendance, and the vetoes of votes with at least three people', async () => {
      await holdNight([ana, ben], '2025-06-01T20:00:00.000Z')
      await holdNight([ana, ben, cleo], '2025-06-08T20:00:00.000Z')

      expect((await read({ from: '2025-06-01' })).nights).toEqual({
        held: 2,
        vetoed: 1,
        attendance: [
          { username: 'ana', nights: 2 },
          { username: 'ben', nights: 2 },
          { username: 'cleo', nights: 1 },
        ],
      })
      expect((await read({ from: '2025-06-01', to: '2025-06-07' })).nights).toMatchObject({ held: 1, vetoed: 0 })
    })

    test('the statistics keep the nights and vetoes of a member who has left', async () => {
      await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { watchlistId, username: 'cleo' } })

      expect((await read({ from: '2025-06-08' })).nights).toEqual({
        held: 1,
        vetoed: 1,
        attendance: [
          { username: 'ana', nights: 1 },
          { username: 'ben', nights: 1 },
          { username: 'cleo', nights: 1 },
        ],
      })
    })
  })

  describe('the statistics of times that an earlier version restored', () => {
    /** Watches a movie of each person, and saves when it was added, revealed and watched. */
    async function watchAt(
      movies: readonly (readonly [by: Caller, added: string, revealed: string, watched: string])[],
    ) {
      watchlistId = (await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] })).watchlist.id
      now = '2026-11-05T20:00:00.000Z'
      const database = theDatabase().withTables<Pick<CardTables, 'card' | 'status_change'>>()
      for (const [by, ...times] of movies) {
        const id = await add(`Of ${by.username}`, { by, runtimeMinutes: 90 })
        await reveal()
        await move(id, 'WATCHED')
        await database.transaction(async (trx) => {
          await trx.updateTable('card').set({ status_changed_at: times[2] }).where('id', '=', id).execute()
          for (const [seq, changed_at] of times.entries()) {
            const change = trx.updateTable('status_change').set({ changed_at })
            await change.where('card_id', '=', id).where('seq', '=', seq).execute()
          }
        })
      }
    }

    test('movies with dates at the limits of time count in the totals, but in no month', async () => {
      await watchAt([
        [ana, '0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
        [ben, '0000-01-01T00:00:00.000Z', '9998-12-30T00:00:00.000Z', '9998-12-31T23:59:59.999Z'],
        [cleo, '2026-10-01T00:00:00.000Z', '2026-10-02T00:00:00.000Z', '2026-10-03T00:00:00.000Z'],
      ])

      const { watched, months, suggesters, longestWaits } = await read({ timeZone: 'Asia/Tokyo' })

      expect(watched).toEqual({ movies: 3, runtimeMinutes: 270, moviesWithoutRuntime: 0 })
      expect(suggesters.map(({ username, movies }) => [username, movies])).toEqual([
        ['ana', 1],
        ['ben', 1],
        ['cleo', 1],
      ])
      expect([months[0]?.month, months.at(-1)?.month, months.length]).toEqual(['1970-01', '2026-11', 683])
      expect(months.filter(({ movies }) => movies > 0)).toEqual([{ month: '2026-10', movies: 1, runtimeMinutes: 90 }])
      expect(longestWaits.map(({ movie, days }) => [movie.creatorId, days])).toEqual([
        ['ben', 2_932_530],
        ['cleo', 1],
      ])
    })

    test('movies that were all watched after tomorrow count in the total, but in no month', async () => {
      await watchAt([
        [ana, '2026-10-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z', '4999-01-01T00:00:00.000Z'],
        [ben, '2026-10-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z', '5000-01-01T00:00:00.000Z'],
      ])

      const { watched, months } = await read()

      expect([watched.movies, months]).toEqual([2, []])
    })
  })
})
