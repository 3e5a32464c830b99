import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** Comments of a card lie together in the order they were made: their ids sort by time. */
export const comments: Migration = {
  changes: ['card'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('comment'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('author_id', id, (column) => column.notNull())
      .addColumn('author_username', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('updated_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('comment_pk', ['watchlist_id', 'card_id', 'id'])
      .addForeignKeyConstraint('comment_of', ['watchlist_id', 'card_id'], 'card', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
