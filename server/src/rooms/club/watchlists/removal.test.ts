import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'
import { systemClock } from '@marquee/platform/runtime/clock'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, callOk, type Caller } from '../../../testing/call.ts'
import { insertComment } from '../../../testing/insert-comment.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'
import { findRemoval, hideWatchlist, removeSome } from './removal-store.ts'
import { removeNow } from './removal.ts'

const NEVER = Date.UTC(2999, 0, 1)

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { allowGuests: true })
  const ana = aUser('ana')
  const ben = aUser('ben')

  /** A watchlist with a talk, which is hidden, but whose removal is not due. */
  async function aHiddenWatchlist({ cards = 1, comments = 1 } = {}): Promise<string> {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const { id: watchlistId } = watchlist
    for (let n = 0; n < cards; n += 1) {
      const card = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED' })
      for (let nth = 0; nth < comments; nth += 1) {
        await insertComment(theDatabase(), { card, id: `comment-${nth}`, content: 'Tonight!' })
      }
    }
    await theDatabase().transaction(async (trx) => {
      await hideWatchlist(trx, watchlistId, { memberIds: [ana.userId, ben.userId], dueAt: NEVER })
    })
    return watchlistId
  }

  describe('a hidden watchlist', () => {
    test('a hidden watchlist is not found by members or guests, and is in no list', async () => {
      const watchlistId = await aHiddenWatchlist()
      const calls = Object.values(ENDPOINTS).filter(
        ({ path, method }) =>
          method === 'GET' && path.startsWith('/watchlists/:watchlistId') && !/:(?!watch)/u.test(path),
      )
      const callers: (Caller | undefined)[] = [ana, ben, aUser('eve'), undefined]

      expect(calls.length).toBeGreaterThan(15)
      for (const endpoint of calls) {
        for (const caller of callers) {
          const query = { title: 'Alien', cards: 'card' }
          const { status } = await call(theApp(), endpoint, caller, { params: { watchlistId }, query } as never)
          expect([endpoint.path, [401, 404].includes(status)]).toEqual([endpoint.path, true])
        }
      }
      expect((await callOk(theApp(), ENDPOINTS.listWatchlists, ana)).map(({ id }) => id)).not.toContain(watchlistId)
    })

    test('a hidden watchlist cannot be changed by its members', async () => {
      const params = { watchlistId: await aHiddenWatchlist() }
      const body = { title: 'Stalker', image: 'https://example.org/stalker.jpg' }

      expect((await call(theApp(), ENDPOINTS.addCard, ana, { params, body })).status).toBe(404)
      expect((await call(theApp(), ENDPOINTS.deleteWatchlist, ana, { params })).status).toBe(404)
    })
  })

  describe('the removal of a watchlist', () => {
    test('the removal of a watchlist continues after an interruption, and leaves no row', async () => {
      const watchlistId = await aHiddenWatchlist({ cards: 3, comments: 4 })
      await theDatabase().transaction(async (trx) => await removeSome(trx, watchlistId))
      expect(await rowsLeft(watchlistId)).not.toEqual([])

      await removeNow({ database: theDatabase(), clock: systemClock }, watchlistId)

      expect(await rowsLeft(watchlistId)).toEqual([])
      expect(await findRemoval(theDatabase().read, watchlistId)).toBeUndefined()
    })

    test('the removal of a watchlist is split into many short transactions', async () => {
      const watchlistId = await aHiddenWatchlist({ cards: 30, comments: 10 })
      let transactions = 0
      const left = { card: [30], comment: [300] }
      const count = async (table: keyof typeof left) => {
        const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
          where watchlist_id = ${watchlistId}`.execute(theDatabase().read)
        left[table].push(Number(rows[0]?.count))
      }
      const database = {
        ...theDatabase(),
        transaction: async (...given: Parameters<Database<unknown>['transaction']>) => {
          transactions += 1
          const done = await theDatabase().transaction(...given)
          await count('card')
          await count('comment')
          return done
        },
      } as Database<unknown>

      await removeNow({ database, clock: systemClock }, watchlistId)

      // 300 comments, 90 status changes, 30 cards, the activities, and the watchlist itself.
      expect(transactions).toBeGreaterThanOrEqual(6)
      const largest = (counts: readonly number[]) => Math.max(...counts.map((one, n) => (counts[n - 1] ?? one) - one))
      expect([largest(left.card), largest(left.comment)]).toEqual([25, 250])
    })
  })

  /** The tables that still have rows of the watchlist. Members keep their notifications. */
  async function rowsLeft(watchlistId: string): Promise<string[]> {
    const left: string[] = []
    for (const { name, columns } of await theDatabase().read.introspection.getTables()) {
      const key = name === 'watchlist' ? 'id' : 'watchlist_id'
      if (name === 'notification' || !columns.some((column) => column.name === key)) continue
      const { rows } = await sql`select 1 from ${sql.table(name)}
        where ${sql.ref(key)} = ${watchlistId} limit 1`.execute(theDatabase().read)
      if (rows.length > 0) left.push(name)
    }
    return left
  }
})
