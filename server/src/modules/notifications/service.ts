import type { DataExport } from '@marquee/contract/entities/account'
import { UNDO_GRACE_MS, UNDO_MS } from '@marquee/contract/limits'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Random } from '@marquee/platform/runtime/random'

import { type ActivityRow, deleteReminders, insertActivity, listAll } from './store.ts'

export { activityInsert, type ActivityRow, deleteDecisions, insertActivity } from './store.ts'
export { deleteNotifications as forgetNotifications, deleteReminders, markInvitationRead } from './store.ts'

const HOUR_MS = 60 * 60_000
/** How long before a movie night its members are reminded. */
const REMINDERS = [
  { kind: 'night-tomorrow', beforeMs: 24 * HOUR_MS },
  { kind: 'night-starting', beforeMs: HOUR_MS / 4 },
] as const

type Activity = {
  watchlistId: string
  kind: ActivityRow['kind']
  at: string
  /** The username of the member who did it, who gets no notification. */
  by: string
  inviteeId?: string
  cardId?: string
  commentId?: string
  nightId?: string
  startsAt?: string | undefined
}

/**
 * The row of an activity. A transaction records it with `insertActivity`; the notifications are made of it in the
 * background, so that the call does not take longer in a large watchlist. A decision waits until it cannot be undone.
 */
export function activityOf({ random }: { random: Random }, activity: Activity): ActivityRow {
  const { watchlistId, kind, at, by, inviteeId, cardId, commentId, nightId, startsAt } = activity
  const delay = kind === 'accepted' || kind === 'declined' ? UNDO_MS + UNDO_GRACE_MS : 0
  return {
    watchlist_id: watchlistId,
    id: random.orderedId(),
    kind,
    actor: by,
    invitee_id: inviteeId ?? null,
    card_id: cardId ?? null,
    comment_id: commentId ?? null,
    night_id: nightId ?? null,
    starts_at: startsAt ?? null,
    created_at: at,
    due_at: Date.parse(at) + delay,
  }
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
    const reminder = activityOf(ports, { watchlistId, kind, at, by: '', nightId, startsAt })
    await insertActivity(trx, { ...reminder, actor: null })
  }
}

/** The notifications of a user, for the export of their data. */
export async function exportNotifications(
  { database }: { database: Database<unknown> },
  { userId }: { userId: string },
): Promise<DataExport['notifications']> {
  const rows = await listAll(database.read, userId)
  return rows.map((row) => ({
    kind: row.kind,
    watchlistId: row.watchlist_id,
    by: row.actor,
    createdAt: row.created_at,
    isRead: row.is_read === 1,
  }))
}
