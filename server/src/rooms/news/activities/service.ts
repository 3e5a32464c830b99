import { type ActivityKind, type Fact, rowOf } from '@marquee/contract/facts'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Random } from '@marquee/platform/runtime/random'

import { REMINDERS } from '../../nights/nights/service.ts'
import type { User } from '../../club/people/service.ts'
import type { ActivityRow } from './store.ts'

export { activityInsert, type ActivityRow, deleteDecisions, deleteReminders } from './store.ts'

/** What an announcement is made of: an activity, and the card and the comment that it is about. */
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
 * The row of an activity. It is announced in the background, so that the call does not take longer in a large watchlist. What
 * can be undone waits until then.
 */
export function activityOf(random: Random, fact: Fact, kind: ActivityKind): ActivityRow {
  return {
    watchlist_id: fact.watchlistId,
    id: random.orderedId(),
    kind,
    actor: fact.by,
    invitee_id: fact.recipientId ?? null,
    card_id: fact.cardId ?? null,
    comment_id: fact.commentId ?? null,
    night_id: fact.nightId ?? null,
    starts_at: fact.startsAt ?? null,
    created_at: fact.at,
    due_at: Date.parse(fact.at) + rowOf(fact).undoneForMs,
  }
}

/** Whether a later reminder of the same night is due, as after an outage: only the last one is announced. */
export function isReplacedReminder({ kind, starts_at: startsAt }: ActivityRow, now: string): boolean {
  const own = REMINDERS.find((reminder) => reminder.kind === kind)
  if (own === undefined || startsAt === null) return false
  const beforeMs = Date.parse(startsAt) - Date.parse(now)
  return REMINDERS.some((other) => other.beforeMs < own.beforeMs && beforeMs <= other.beforeMs)
}
