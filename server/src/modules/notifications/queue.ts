import { mentionsIn } from '@marquee/contract/rules/mentions'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { startDueWork } from '@marquee/platform/runtime/due-work'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'

import { findInFeed } from '../cards/service.ts'
import { findComment, listCommenters } from '../comments/service.ts'
import { invitationKeeping } from '../invitations/service.ts'
import { listMembers, lockWatchlist } from '../watchlists/service.ts'
import {
  type ActivityRow,
  findDue,
  insertNotifications,
  nextDueAt,
  type NotificationRow,
  postponeActivity,
  takeActivity,
} from './store.ts'

type QueuePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly live: { readonly notify: (userId: string) => void }
  /** The pause between a change and its notifications. */
  readonly notifyAfterMs?: number | undefined
}

type Recipient = Pick<NotificationRow, 'user_id' | 'kind'>

const RETRY_MS = 30_000
/** Long enough for the reply to leave first, and for changes at once to share a look at the table. */
const NOTIFY_AFTER_MS = 50

/**
 * Makes notifications of activities. The transaction that adds the notifications removes the activity, so each is made
 * once, also if a process dies or several work.
 */
export function startNotificationQueue(ports: QueuePorts): { wakeSoon: () => void; stop: () => Promise<void> } {
  const { database, clock, logger, live } = ports
  let timer: NodeJS.Timeout | undefined

  async function notify(activity: ActivityRow): Promise<void> {
    const userIds = await database.transaction(async (trx) => await makeNotifications(trx, ports, activity))
    for (const userId of userIds) live.notify(userId)
  }

  const queue = startDueWork({
    clock,
    work: async (stopping) => {
      while (!stopping.aborted) {
        const activity = await findDue(database.read, clock.now())
        if (!activity) return await nextDueAt(database.read)
        try {
          await notify(activity)
        } catch (error) {
          logger.error({ err: error, kind: activity.kind }, 'notifications could not be made')
          const dueAt = clock.now().getTime() + RETRY_MS
          await database.transaction(async (trx) => {
            await postponeActivity(trx, activity, dueAt)
          })
        }
      }
      return undefined
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'the notification queue failed')
    },
    retryMs: RETRY_MS,
  })

  return {
    wakeSoon: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        queue.wake()
      }, ports.notifyAfterMs ?? NOTIFY_AFTER_MS).unref()
    },
    stop: async () => {
      clearTimeout(timer)
      await queue.stop()
    },
  }
}

/** Resolves to the ids of the users who have a new notification. */
async function makeNotifications(
  trx: AnyDb,
  { clock, random }: Pick<QueuePorts, 'clock' | 'random'>,
  activity: ActivityRow,
): Promise<string[]> {
  // Behind the lock no member leaves meanwhile.
  if (!(await lockWatchlist(trx, activity.watchlist_id))) return []
  if (!(await takeActivity(trx, activity))) return []
  const now = clock.now().toISOString()
  // News and reminders of a night that has begun meanwhile, as after an outage.
  if (activity.starts_at !== null && activity.starts_at <= now) return []
  const { watchlist_id, actor, card_id, starts_at } = activity
  // The same clock orders notifications and shows when they were made: a reminder was written long before.
  const shared = { id: random.orderedId(), watchlist_id, actor, card_id, starts_at, created_at: now, is_read: 0 }
  const recipients = await recipientsOf(trx, activity)
  await insertNotifications(
    trx,
    recipients.map((recipient) => ({ ...shared, ...recipient })),
  )
  return recipients.map(({ user_id: userId }) => userId)
}

/**
 * Who gets which notification of an activity. There is none about a card that is in the box by now, or about a deleted
 * comment. A comment notifies those whom it mentions, who added the card, or who commented on it.
 */
async function recipientsOf(trx: AnyDb, activity: ActivityRow): Promise<Recipient[]> {
  const { watchlist_id: watchlistId, kind, actor } = activity
  const { invitee_id: inviteeId, card_id: cardId, comment_id: commentId } = activity
  if (inviteeId !== null) {
    const isInvited = (await invitationKeeping.listInvitedIds(trx, watchlistId)).includes(inviteeId)
    return isInvited ? [{ user_id: inviteeId, kind }] : []
  }
  const others = (await listMembers(trx, watchlistId)).filter(({ username }) => username !== actor)
  if (cardId === null) return others.map(({ user_id }) => ({ user_id, kind }))
  const card = await findInFeed(trx, { watchlistId, cardId })
  if (!card) return []
  if (commentId === null) {
    return others.map(({ user_id }) => ({
      user_id,
      kind: kind === 'revealed' && user_id === card.authorId ? 'drawn' : kind,
    }))
  }
  const comment = await findComment(trx, { watchlistId, cardId, commentId })
  if (!comment) return []
  const names = others.map(({ username }) => username)
  const mentioned = new Set(mentionsIn(comment.content, names).map(({ username }) => username))
  const involved = new Set([card.authorId, ...(await listCommenters(trx, { watchlistId, cardId }))])
  return others.flatMap(({ user_id, username }): Recipient[] => {
    if (mentioned.has(username)) return [{ user_id, kind: 'mentioned' }]
    return involved.has(user_id) ? [{ user_id, kind }] : []
  })
}
