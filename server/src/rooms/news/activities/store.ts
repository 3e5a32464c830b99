import { type Expression, sql } from 'kysely'

import type { ActivityKind } from '@marquee/contract/facts'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { prepared } from '@marquee/platform/database/prepared'
import type { DueTable } from '@marquee/platform/queue/store'

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

const COLUMNS = [
  'watchlist_id',
  'id',
  'kind',
  'actor',
  'invitee_id',
  'card_id',
  'comment_id',
  'night_id',
  'starts_at',
  'created_at',
  'due_at',
] as const satisfies (keyof ActivityRow)[]

/** The statement that records an activity, for `prepared`; if `ifAny` is given, only if that has a row. */
export function activityInsert(
  db: AnyDb,
  value: <K extends keyof ActivityRow>(name: K) => ActivityRow[K],
  { cardId, ifAny }: { cardId: Expression<unknown> | undefined; ifAny: Expression<unknown> | undefined },
) {
  const values = tables(db).selectNoFrom(() =>
    COLUMNS.map((name) =>
      (name === 'card_id' && cardId ? sql<string>`${cardId}` : sql<string>`${value(name)}`).as(name),
    ),
  )
  return tables(db)
    .insertInto('activity')
    .columns(COLUMNS)
    .expression(ifAny ? values.where(sql<boolean>`exists ${ifAny}`) : values)
}

/** Deletes the decisions about a card that are not announced yet. */
export const deleteDecisions = prepared<{ watchlistId: string; cardId: string }, unknown>((db, value) =>
  tables(db)
    .deleteFrom('activity')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where(sql<boolean>`kind in ('accepted', 'declined')`),
)

/** Deletes the reminders of a night. */
export const deleteReminders = prepared<{ watchlistId: string; nightId: string }, unknown>((db, value) =>
  tables(db)
    .deleteFrom('activity')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('nightId'))
    .where('kind', 'in', REMINDER_KINDS),
)
