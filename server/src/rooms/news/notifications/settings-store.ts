import { sql } from 'kysely'

import type { GroupChanges, NotificationSettings } from '@marquee/contract/entities/notification-settings'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

export type SettingsTables = { notification_settings: { user_id: string; settings: string } }

/** What a user changed; all else has its default. */
export type ChangedSettings = Partial<Omit<NotificationSettings, 'groups'>> & { groups?: GroupChanges }

const tables = withTables<SettingsTables>

/** The changes of those of the users who made any. */
export async function findChanges(
  db: AnyDb,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, ChangedSettings>> {
  const rows = await tables(db)
    .selectFrom('notification_settings')
    .selectAll()
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .execute()
  return new Map(rows.map(({ user_id: userId, settings }) => [userId, JSON.parse(settings) as ChangedSettings]))
}

export async function saveChanges(db: AnyDb, userId: string, changes: ChangedSettings): Promise<void> {
  const settings = JSON.stringify(changes)
  await tables(db)
    .insertInto('notification_settings')
    .values({ user_id: userId, settings })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ settings }))
    .execute()
}

export async function deleteSettings(db: AnyDb, userId: string): Promise<void> {
  await tables(db).deleteFrom('notification_settings').where('user_id', '=', userId).execute()
}
