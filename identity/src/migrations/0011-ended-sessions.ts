import { clustered, keyText } from '@marquee/platform/database/columns'
import type { Migration } from '@marquee/platform/database/migrate'

/** Recently ended sessions, also of deleted users, for processes that the bus did not notify. */
export const endedSessions: Migration = {
  up: async (db) => {
    await clustered(db, db.schema.createTable('identity_ended_session'))
      .addColumn('origin_jti', keyText(db), (column) => column.primaryKey())
      .addColumn('ended_at', keyText(db), (column) => column.notNull())
      .execute()
    await db.schema.createIndex('identity_ended_session_age').on('identity_ended_session').column('ended_at').execute()
  },
}
