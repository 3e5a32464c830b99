import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'

/** What each user changed of their notification settings. It replaces `night_mails` of `person`. */
export const notificationSettings: Migration = {
  up: async (db: AnyDb) => {
    await db.schema
      .createTable('notification_settings')
      .addColumn('user_id', keyText(db), (column) => column.notNull().primaryKey())
      .addColumn('settings', 'text', (column) => column.notNull())
      .execute()
    await sql`insert into notification_settings (user_id, settings)
      select user_id, '{"groups":{"nights":{"mail":"off"},"ratings":{"mail":"off"}}}'
      from person where night_mails = 0`.execute(db)
  },
}
