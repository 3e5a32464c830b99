import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** Which members have seen the movie of a card, and how they rate it. */
export const viewings: Migration = {
  changes: ['card'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('card_viewings'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('seen_on', id)
      .addColumn('half_stars', 'integer')
      .addColumn('note', 'text')
      .addColumn('changed_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('card_viewing_pk', ['watchlist_id', 'card_id', 'user_id'])
      .addForeignKeyConstraint('card_viewing_of', ['watchlist_id', 'card_id'], 'card', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createIndex('card_viewing_of_user')
      .on('card_viewings')
      .columns(['user_id', 'watchlist_id'])
      .execute()
  },
}
