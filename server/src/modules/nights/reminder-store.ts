import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { prepared } from '@marquee/platform/database/prepared'

import type { NightKey } from './store.ts'

export type ReminderTables = { night_reminder: { watchlist_id: string; night_id: string; due_at: string } }

const tables = withTables<ReminderTables>

/** Adds the reminder of a night, unless it has one. */
export const addReminder = prepared<ReminderTables['night_reminder'], unknown>((db, value) =>
  tables(db)
    .insertInto('night_reminder')
    .values({ watchlist_id: value('watchlist_id'), night_id: value('night_id'), due_at: value('due_at') })
    .onConflict((conflict) => conflict.doNothing()),
)

/** The reminder of all watchlists that is due first. */
export async function nextReminder(db: AnyDb): Promise<(NightKey & { dueAt: string }) | undefined> {
  return await tables(db)
    .selectFrom('night_reminder')
    .select(['watchlist_id as watchlistId', 'night_id as id', 'due_at as dueAt'])
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
}

/** Removes a reminder. False if another process has done so. */
export async function takeReminder(db: AnyDb, { watchlistId, id }: NightKey): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('night_reminder')
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
