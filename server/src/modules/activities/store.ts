import { sql, type ValueExpression } from 'kysely'

import type { NotificationKind } from '@marquee/contract/entities/notification'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { prepared } from '@marquee/platform/database/prepared'
import type { DueTable } from '@marquee/platform/queue/store'

/** `drawn` and `mentioned` are what `revealed` and `commented` are for some members. */
export type ActivityKind = Exclude<NotificationKind, 'drawn' | 'mentioned'> | 'night-started'

export type ActivityRow = {
  watchlist_id: string
  id: string
  kind: ActivityKind
  actor: string | null
  invitee_id: string | null
  card_id: string | null
  comment_id: string | null
  night_id: string | null
  starts_at: string | null
  created_at: string
  due_at: number
}

export type ActivityTables = { activity: ActivityRow }

const tables = withTables<ActivityTables>

const REMINDER_KINDS: readonly ActivityKind[] = ['night-tomorrow', 'night-starting']

/** Activities that are not announced yet. Those of one watchlist are announced together. */
export const WAITING_ACTIVITIES: DueTable<ActivityRow> = {
  name: 'activity',
  key: ['watchlist_id', 'id'],
  lane: 1,
  timedByUsers: { column: 'kind', values: REMINDER_KINDS },
}

type ActivityValue = <K extends Exclude<keyof ActivityRow, 'card_id'>>(name: K) => ActivityRow[K]

/** The statement that records an activity, for `prepared`. `cardId` may be found by a part of the statement. */
export function activityInsert(
  db: AnyDb,
  value: ActivityValue,
  cardId: ValueExpression<ActivityTables, 'activity', string | null>,
) {
  return tables(db)
    .insertInto('activity')
    .values({
      watchlist_id: value('watchlist_id'),
      id: value('id'),
      kind: value('kind'),
      actor: value('actor'),
      invitee_id: value('invitee_id'),
      card_id: cardId,
      comment_id: value('comment_id'),
      night_id: value('night_id'),
      starts_at: value('starts_at'),
      created_at: value('created_at'),
      due_at: value('due_at'),
    })
}

export const insertActivity = prepared<ActivityRow, unknown>((db, value) => activityInsert(db, value, value('card_id')))

/** Deletes the decisions about a card that are not announced yet. */
export const deleteDecisions = prepared<{ watchlistId: string; cardId: string }, unknown>((db, value) =>
  tables(db)
    .deleteFrom('activity')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where(sql<boolean>`kind in ('accepted', 'declined')`),
)

/** Deletes the reminders of a night. */
export async function deleteReminders(db: AnyDb, watchlistId: string, nightId: string): Promise<void> {
  await tables(db)
    .deleteFrom('activity')
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', nightId)
    .where('kind', 'in', REMINDER_KINDS)
    .execute()
}
