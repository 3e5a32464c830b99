import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { allEnded, startDueWork } from '@marquee/platform/runtime/due-work'
import type { Logger } from '@marquee/platform/runtime/logger'

import { findInFeed } from '../cards/service.ts'
import { findComment } from '../comments/service.ts'
import type { User } from '../profiles/service.ts'
import { lockWatchlist } from '../watchlists/service.ts'
import type { Announce, Announced } from './service.ts'
import { type ActivityRow, findDue, nextDueAt, postponeActivity, takeActivities } from './store.ts'

type QueuePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly logger: Logger
  /** How activities are announced: by notifications, and by messages of webhooks. */
  readonly announce: readonly Announce[]
  /** The user whom an invitation by mail reached; undefined if there is none, and for other activities. */
  readonly findAddressee: (activity: ActivityRow) => Promise<User | undefined>
  /** The pause between a change and what announces it. */
  readonly announceAfterMs?: number | undefined
}

const RETRY_MS = 30_000
/** Long enough for the reply to leave first, and for changes that follow each other to be announced together. */
const ANNOUNCE_AFTER_MS = 50
/** On SQLite, requests wait for the shared transaction; on PostgreSQL, each watchlist takes a connection from them. */
const MAX_TOGETHER = 8

/**
 * Announces activities. The transaction that writes what announces an activity removes it, so each is announced once, also
 * if a process dies or several work.
 */
export function startActivityQueue(ports: QueuePorts): { wakeSoon: () => void; stop: () => Promise<void> } {
  const { database, clock, logger } = ports
  let timer: NodeJS.Timeout | undefined

  async function announceTogether(watchlistId: string, rows: readonly ActivityRow[]): Promise<void> {
    const now = clock.now().toISOString()
    // Before the transaction, since the user pool may be another service.
    const addressees = new Map<string, User | undefined>()
    for (const activity of rows) {
      if (activity.kind === 'invited') addressees.set(activity.id, await ports.findAddressee(activity))
    }
    const work = async (trx: AnyDb) => {
      // Behind the lock no member leaves meanwhile.
      if (!(await lockWatchlist(trx, watchlistId))) return []
      const ids = rows.map(({ id }) => id)
      const taken = await takeActivities(trx, watchlistId, ids)
      const activities: Announced[] = []
      for (const activity of rows.filter(({ id }) => taken.has(id))) {
        const announced = await announcedOf(trx, activity, now)
        if (announced) activities.push({ ...announced, addressee: addressees.get(activity.id) })
      }
      if (activities.length === 0) return []
      const done: (() => void)[] = []
      for (const announce of ports.announce) done.push(await announce(trx, watchlistId, activities))
      return done
    }
    for (const follow of await database.transaction(work)) follow()
  }

  /** If one of several activities cannot be announced, the others are all the same. */
  async function announceEach(watchlistId: string, rows: readonly ActivityRow[]): Promise<void> {
    for (const activity of rows) {
      try {
        await announceTogether(watchlistId, [activity])
      } catch (error) {
        logger.error({ err: error, kind: activity.kind }, 'an activity could not be announced')
        const dueAt = clock.now().getTime() + RETRY_MS
        await database.transaction(async (trx) => {
          await postponeActivity(trx, activity, dueAt)
        })
      }
    }
  }

  const queue = startDueWork({
    clock,
    work: async (stopping) => {
      while (!stopping.aborted) {
        const due = await findDue(database.read, { now: clock.now(), limit: MAX_TOGETHER })
        if (due.length === 0) return await nextDueAt(database.read)
        const watchlists = [...Map.groupBy(due, (row) => row.watchlist_id)]
        // Those at once share a transaction on SQLite.
        await allEnded(
          watchlists.map(async ([watchlistId, rows]) => {
            await announceTogether(watchlistId, rows).catch(async () => await announceEach(watchlistId, rows))
          }),
        )
      }
      return undefined
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'the queue of activities failed')
    },
    retryMs: RETRY_MS,
  })

  return {
    wakeSoon: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        queue.wake()
      }, ports.announceAfterMs ?? ANNOUNCE_AFTER_MS).unref()
    },
    stop: async () => {
      clearTimeout(timer)
      await queue.stop()
    },
  }
}

/**
 * An activity with its card and comment. Undefined if it is no longer true: its card is in the box again, its comment is
 * deleted, or its night has begun, as after an outage. An undone decision has no activity any more.
 */
async function announcedOf(trx: AnyDb, activity: ActivityRow, now: string): Promise<Announced | undefined> {
  const { watchlist_id: watchlistId, card_id: cardId, comment_id: commentId } = activity
  if (activity.starts_at !== null && activity.starts_at <= now) return undefined
  if (cardId === null) return { activity }
  const card = await findInFeed(trx, { watchlistId, cardId })
  if (!card) return undefined
  if (commentId === null) return { activity, card }
  const comment = await findComment(trx, { watchlistId, cardId, commentId })
  return comment && { activity, card, comment }
}
