import { sql } from 'kysely'
import pino from 'pino'
import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { AnyDb } from '@marquee/platform/database/database'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { allAnnounced } from '../../../testing/all-announced.ts'
import { type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp } from '../../../testing/start-app.ts'
import { removePersonAt } from '../../../remove-person.ts'
import { hideWatchlist } from '../../club/watchlists/removal-store.ts'
import { announceToMembers } from '../notifications/announce.ts'
import { saveSubscription } from '../push/store.ts'
import { announceByWebhooks } from '../webhooks/service.ts'
import { insertWebhook } from '../webhooks/store.ts'
import type { Announce } from './service.ts'
import { startActivityQueue } from './queue.ts'

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const aDay = 24 * 60 * 60_000
  // It records activities, and only the queue of the test announces them.
  const theApp = anApp(theDatabase, { clock, announceAfterMs: aDay })

  const settled = async (watchlistId: string) => await allAnnounced(theDatabase(), clock, watchlistId)
  const kinds = async (user: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listNotifications, user, { query: { limit: 50 } })).notifications.map(
      ({ kind }) => kind,
    )

  /** A queue that makes notifications, and in the same transaction does something else. */
  const aQueue = (alsoDo: Announce, logger = pino({ level: 'silent' })) =>
    startActivityQueue({
      database: theDatabase().withTables(),
      clock,
      random: systemRandom,
      logger,
      findAddressee: async () => await Promise.resolve(undefined),
      announceAfterMs: 0,
      announce: [
        announceToMembers({
          clock,
          random: systemRandom,
          live: { notify: () => undefined },
          wakePush: () => undefined,
          wakeMails: () => undefined,
        }),
        alsoDo,
      ],
    })

  // Evidence: asvs-2.3.3
  test('an activity whose transaction fails is announced later, once, and does not delay others', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const { id: cardId } = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED' })
    const params = { watchlistId: watchlist.id, cardId }
    await callOk(theApp(), ENDPOINTS.addComment, ana, { params, body: { content: 'Tonight?' } })
    let isBroken = true
    const queue = aQueue(async (_trx, _watchlistId, activities) => {
      if (isBroken && activities.some(({ activity }) => activity.kind === 'commented')) throw new Error('Full')
      return await Promise.resolve(() => undefined)
    })
    await settled(watchlist.id)
    const before = [await kinds(ana), await kinds(ben)]

    isBroken = false
    clock.moveAhead(30_000)
    queue.wakeSoon()
    await settled(watchlist.id)
    await queue.stop()

    expect(before).toEqual([['revealed'], []])
    expect([await kinds(ana), await kinds(ben)]).toEqual([['revealed'], ['commented']])
  })

  test('deleting an account while a notification is made for it leaves no notification', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    let deletion: Promise<unknown> | undefined
    let isDeleted = false

    const queue = aQueue(async (trx) => {
      deletion ??= theDatabase()
        .transaction(async (trx) => await removePersonAt(clock, systemRandom)(trx, ben.userId))
        .then(() => (isDeleted = true))
      await vi.waitUntil(async () => isDeleted || (await isAnyWaiting(trx)), { timeout: 20_000, interval: 10 })
      return () => undefined
    })
    await settled(watchlist.id)
    await deletion
    await queue.stop()

    const { rows } = await sql`select kind from notification where user_id = ${ben.userId}`.execute(theDatabase().read)
    expect([isDeleted, rows]).toEqual([true, []])
  })

  test('an invitation to a watchlist that is being removed is not announced, and its activity is deleted', async () => {
    const [ana, ben] = [aUser('ana'), aUser(`ben ${aUser().userId}`)]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const params = { watchlistId: watchlist.id }
    await callOk(theApp(), ENDPOINTS.inviteUser, ana, { params, body: { username: ben.username } })
    await theDatabase().transaction(async (trx) => {
      await hideWatchlist(trx, watchlist.id, { memberIds: [ana.userId], dueAt: Date.UTC(2999, 0, 1) })
    })

    const queue = aQueue(async () => await Promise.resolve(() => undefined))
    await settled(watchlist.id)
    await queue.stop()

    expect(await kinds(ben)).toEqual([])
  })

  test.each(['webhook', 'push_subscription'])(
    'a %s that is deleted during an announcement does not delay the activity',
    async (table) => {
      const [ana, ben] = [aUser('ana'), aUser('ben')]
      const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
      const { id: watchlistId } = watchlist
      const { id: cardId } = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
      const params = { watchlistId, cardId }
      await callOk(theApp(), ENDPOINTS.addComment, ana, { params, body: { content: '@ben Tonight?' } })
      const at = clock.now().toISOString()
      const shared = { created_at: at, failures: 0, retry_at: 0, target: 'sealed' }
      const webhook = {
        watchlist_id: watchlistId,
        id: 'hook',
        name: 'Hook',
        host: 'example.org',
        creator_id: ana.userId,
      }
      const device = { user_id: ben.userId, id: 'device', username: ben.username, device: 'Firefox', session_id: null }
      await theDatabase().transaction(async (trx) => {
        const kinds = JSON.stringify(['comment.added'])
        await insertWebhook(trx, { ...shared, ...webhook, format: 'standard', kinds, state: 'on', failing_since: null })
        await saveSubscription(trx, { ...shared, ...device, used_at: null })
        // Of several activities, each would be tried again alone.
        await sql`delete from activity where watchlist_id = ${watchlistId} and kind <> 'commented'`.execute(trx)
      })
      const logged: string[] = []
      const logger = pino({}, { write: (line: string) => void logged.push(line) })

      const queue = await theDatabase().transaction(async (trx) => {
        await sql`delete from ${sql.table(table)}`.execute(trx)
        const announcing = aQueue(
          announceByWebhooks({ clock }, () => undefined),
          logger,
        )
        await vi.waitUntil(async () => await isAnyWaiting(trx), { timeout: 20_000, interval: 10 })
        return announcing
      })
      await settled(watchlistId)
      await queue.stop()

      expect(await kinds(ben)).toEqual(['mentioned'])
      expect(logged).toEqual([])
    },
  )

  /** Whether a transaction waits for another one. SQLite begins none before the last is over. */
  async function isAnyWaiting(trx: AnyDb): Promise<boolean> {
    if (theDatabase().dialect === 'sqlite') return true
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(trx)
    return rows.length > 0
  }
})
