import { withTables } from '@marquee/platform/database/database'
import { prepared } from '@marquee/platform/database/prepared'
import type { DueTable } from '@marquee/platform/queue/store'

export type ReminderTables = { night_reminder: { watchlist_id: string; night_id: string; due_at: string } }
export type ReminderRow = ReminderTables['night_reminder']

const tables = withTables<ReminderTables>

export const WAITING_REMINDERS: DueTable<ReminderRow> = {
  name: 'night_reminder',
  key: ['watchlist_id', 'night_id'],
  lane: 1,
  hasTextTimes: true,
}

/** Adds the reminder of a night, unless it has one. */
export const addReminder = prepared<ReminderTables['night_reminder'], unknown>((db, value) =>
  tables(db)
    .insertInto('night_reminder')
    .values({ watchlist_id: value('watchlist_id'), night_id: value('night_id'), due_at: value('due_at') })
    .onConflict((conflict) => conflict.doNothing()),
)
