import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** The mails of the last day that invite a user, as JSON. The row is also the lock behind which inviters wait. */
export const invitationMails: Migration = {
  up: async (db: AnyDb) => {
    await clustered(db, db.schema.createTable('invitation_mail'))
      .addColumn('user_id', keyText(db), (column) => column.primaryKey())
      .addColumn('recent', 'text', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute()
  },
}
