import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** Nights whose members get a mail that asks for ratings, and whether a user wants mails about nights. */
export const ratingReminders: Migration = {
  changes: ['night', 'person'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night_reminder'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('due_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('night_reminder_pk', ['watchlist_id', 'night_id'])
      .addForeignKeyConstraint(
        'night_reminder_of',
        ['watchlist_id', 'night_id'],
        'night',
        ['watchlist_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('night_reminder_due').on('night_reminder').column('due_at').execute()
    await db.schema
      .alterTable('person')
      .addColumn('night_mails', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
  },
}
