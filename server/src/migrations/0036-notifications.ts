import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * `activity` has what happened in a watchlist until notifications are made of it, and the reminders of movie nights.
 * `notification` has the newest notifications of each user. A watchlist has another distribution key, so its deletion
 * leaves them; those of watchlists that the user cannot read do not show.
 */
export const notifications: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('activity'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('actor', 'text')
      .addColumn('invitee_id', id)
      .addColumn('card_id', id)
      .addColumn('comment_id', id)
      .addColumn('night_id', id)
      .addColumn('starts_at', id)
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('due_at', bigInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('activity_pk', ['watchlist_id', 'id'])
      .addForeignKeyConstraint('activity_in', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()
    await db.schema.createIndex('activity_due').on('activity').column('due_at').execute()

    await clustered(db, db.schema.createTable('notification'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('actor', 'text')
      .addColumn('card_id', id)
      .addColumn('starts_at', id)
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('is_read', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('notification_pk', ['user_id', 'id'])
      .execute()
  },
}
