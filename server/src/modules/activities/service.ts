import { UNDO_GRACE_MS, UNDO_MS } from '@marquee/contract/limits'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Random } from '@marquee/platform/runtime/random'

import type { User } from '../profiles/service.ts'
import { type ActivityKind, type ActivityRow, deleteReminders, insertActivity } from './store.ts'

export {
  activityInsert,
  type ActivityKind,
  type ActivityRow,
  deleteDecisions,
  deleteReminders,
  insertActivity,
} from './store.ts'

const HOUR_MS = 60 * 60_000
/** How long before a movie night its members are reminded. */
const REMINDERS = [
  { kind: 'night-tomorrow', beforeMs: 24 * HOUR_MS },
  { kind: 'night-starting', beforeMs: HOUR_MS / 4 },
] as const

type Activity = {
  watchlistId: string
  kind: ActivityKind
  at: string
  /** The username of the member who did it, who gets no notification. Null if it was no member. */
  by: string | null
  /** The invitee, or the link of an invitation by mail; or the creator of a webhook. */
  recipientId?: string | undefined
  cardId?: string
  commentId?: string
  nightId?: string
  startsAt?: string | undefined
}

/** What announces activities may use: an activity, and the card and the comment that it is about. */
export type Announced = {
  readonly activity: ActivityRow
  readonly card?: { readonly authorId: string } | undefined
  readonly comment?: { readonly content: string } | undefined
  /** The user with the mail address that an invitation went to. */
  readonly addressee?: User | undefined
}

/**
 * Announces the activities of one watchlist, in the transaction that removes them, which holds the watchlist. Resolves to
 * what follows the commit.
 */
export type Announce = (trx: AnyDb, watchlistId: string, activities: readonly Announced[]) => Promise<() => void>

/**
 * The row of an activity. A transaction records it with `insertActivity`; it is announced in the background, so that the
 * call does not take longer in a large watchlist. A decision waits until it cannot be undone.
 */
export function activityOf({ random }: { random: Random }, activity: Activity): ActivityRow {
  const { watchlistId, kind, at, by, recipientId, cardId, commentId, nightId, startsAt } = activity
  const delay = kind === 'accepted' || kind === 'declined' ? UNDO_MS + UNDO_GRACE_MS : 0
  return {
    watchlist_id: watchlistId,
    id: random.orderedId(),
    kind,
    actor: by,
    invitee_id: recipientId ?? null,
    card_id: cardId ?? null,
    comment_id: commentId ?? null,
    night_id: nightId ?? null,
    starts_at: startsAt ?? null,
    created_at: at,
    due_at: Date.parse(at) + delay,
  }
}

/** Whether a later reminder of the same night is due, as after an outage: only the last one is announced. */
export function isReplacedReminder({ kind, starts_at: startsAt }: ActivityRow, now: string): boolean {
  const own = REMINDERS.find((reminder) => reminder.kind === kind)
  if (own === undefined || startsAt === null) return false
  const beforeMs = Date.parse(startsAt) - Date.parse(now)
  return REMINDERS.some((other) => other.beforeMs < own.beforeMs && beforeMs <= other.beforeMs)
}

/** Sets the reminders of a night in place of earlier ones. Without `startsAt` it has none. */
export async function setReminders(
  trx: AnyDb,
  ports: { random: Random },
  {
    watchlistId,
    nightId,
    startsAt,
    now,
  }: { watchlistId: string; nightId: string; startsAt?: string | undefined; now: string },
): Promise<void> {
  await deleteReminders(trx, watchlistId, nightId)
  if (startsAt === undefined) return
  for (const { kind, beforeMs } of REMINDERS) {
    const at = new Date(Date.parse(startsAt) - beforeMs).toISOString()
    if (at <= now) continue
    await insertActivity(trx, activityOf(ports, { watchlistId, kind, at, by: null, nightId, startsAt }))
  }
}
