import { sql } from 'kysely'

import { keyText } from '@marquee/platform/database/columns'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

const BATCH = 5_000

/** What each user changed of their notification settings. It replaces `night_mails` of `person`. */
export const notificationSettings: Migration = {
  up: async (db: AnyDb) => {
    await db.schema
      .createTable('notification_settings')
      .addColumn('user_id', keyText(db), (column) => column.notNull().primaryKey())
      .addColumn('settings', 'text', (column) => column.notNull())
      .execute()
  },
  backfill: async (connection, place = '') => {
    const db = withTables<unknown>(connection)
    const { rows } = await sql<{ id: string }>`select user_id as id from person
      where user_id > ${place} order by user_id limit ${BATCH}`.execute(db)
    const last = rows.at(-1)?.id
    await sql`insert into notification_settings (user_id, settings)
      select user_id, '{"groups":{"nights":{"mail":"off"},"ratings":{"mail":"off"}}}'
      from person where night_mails = 0 and user_id > ${place} and user_id <= ${last ?? place}
      on conflict do nothing`.execute(db)
    return { rows: rows.length, place: last }
  },
}
