import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'
import { type QueuePorts as Ports, startQueue } from '@marquee/platform/queue/queue'
import { takeRows } from '@marquee/platform/queue/store'

import { findInFeed } from '../../movies/cards/service.ts'
import { findComment } from '../../movies/comments/service.ts'
import type { User } from '../../club/people/service.ts'
import { lockWatchlist } from '../../club/watchlists/service.ts'
import { type Announce, type Announced, isReplacedReminder } from './service.ts'
import { type ActivityRow, WAITING_ACTIVITIES } from './store.ts'

type QueuePorts = Ports & {
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
/** Each watchlist takes a connection from the requests on PostgreSQL. */
const PARALLEL = 4
const TOGETHER = 50
/** A decision waits until it cannot be undone. */
const LONGEST_WAIT_MS = RETRY_MS
/** A busy watchlist rests this long for each activity that was announced, so that its writers come first. */
const REST_MS = 20

/**
 * Announces activities. The transaction that writes what announces an activity removes it, so each is announced once, also
 * if a process dies or several work.
 */
export function startActivityQueue(ports: QueuePorts): { wakeSoon: () => void; stop: () => Promise<void> } {
  const { database, clock } = ports
  let timer: NodeJS.Timeout | undefined

  async function announceTogether(rows: readonly [ActivityRow, ...ActivityRow[]]): Promise<void> {
    const now = clock.now().toISOString()
    const [{ watchlist_id: watchlistId }] = rows
    // Before the transaction, since the user pool may be another service.
    const addressees = new Map<string, User | undefined>()
    for (const activity of rows) {
      if (activity.kind === 'invited') addressees.set(activity.id, await ports.findAddressee(activity))
    }
    const work = async (trx: AnyDb) => {
      // An invitation must not be used meanwhile. Nothing else waits for the writers of the watchlist: a member who leaves
      // cannot read a notification that was made at the same time.
      const isHere = addressees.size === 0 || (await lockWatchlist(trx, watchlistId)) !== undefined
      const taken = await takeRows(trx, WAITING_ACTIVITIES, rows)
      // It is being removed. Rows that stayed would be due, again and again, until they are.
      if (!isHere) return []
      const announced = await announcedOf(trx, watchlistId, taken, now)
      if (announced.length === 0) return []
      const activities = announced.map((one) => ({ ...one, addressee: addressees.get(one.activity.id) }))
      const done: (() => void)[] = []
      for (const announce of ports.announce) done.push(await announce(trx, watchlistId, activities))
      return done
    }
    for (const follow of await database.transaction(work)) follow()
  }

  const queue = startQueue<ActivityRow>(ports, {
    name: 'activities',
    table: WAITING_ACTIVITIES,
    parallel: PARALLEL,
    batch: TOGETHER,
    restMs: (rows) => (rows > 1 ? rows * REST_MS : 0),
    retryMs: RETRY_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    perform: announceTogether,
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
 * Activities of a watchlist with their cards and comments, which are read together. What is no longer true is left out: a
 * card is in the box again, a comment is deleted, or a night has begun, as after an outage. An undone decision has no
 * activity any more.
 */
async function announcedOf(
  trx: AnyDb,
  watchlistId: string,
  activities: readonly ActivityRow[],
  now: string,
): Promise<Announced[]> {
  const timely = activities.filter(
    (activity) => !(activity.starts_at !== null && activity.starts_at <= now) && !isReplacedReminder(activity, now),
  )
  const cardIds = [...new Set(timely.flatMap(({ card_id: cardId }) => cardId ?? []))]
  const found = await together(...cardIds.map(async (cardId) => await findInFeed(trx, { watchlistId, cardId })))
  const cards = new Map(cardIds.map((cardId, n) => [cardId, found[n]]))
  const comments = await together(
    ...timely.map(async ({ card_id: cardId, comment_id: commentId }) =>
      cardId === null || commentId === null ? undefined : await findComment(trx, { watchlistId, cardId, commentId }),
    ),
  )
  return timely.flatMap((activity, n): Announced[] => {
    if (activity.card_id === null) return [{ activity }]
    const [card, comment] = [cards.get(activity.card_id), comments[n]]
    if (!card) return []
    if (activity.comment_id === null) return [{ activity, card }]
    return comment ? [{ activity, card, comment }] : []
  })
}
