import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Mails about changed nights that wait for the end of quiet hours. `was_at` is when the calendar of the reader still has the night;
 * null if it has no entry.
 */
export const nightMails: Migration = {
  changes: ['night'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night_mail'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('changed_by', 'text', (column) => column.notNull())
      .addColumn('was_at', id)
      .addColumn('due_at', bigInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('night_mail_pk', ['watchlist_id', 'night_id', 'user_id'])
      .addForeignKeyConstraint('night_mail_of', ['watchlist_id', 'night_id'], 'night', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('night_mail_due').on('night_mail').column('due_at').execute()
  },
}
