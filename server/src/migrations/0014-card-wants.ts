import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Who wants the movie of a card besides its creator. `title` and `movie` are what that member gave, because the card itself is
 * secret to them while it is in the box. They know the row by its `id`. If the card becomes theirs, it gets this id.
 */
export const cardWants: Migration = {
  changes: ['card'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('card_wants'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('movie', 'text')
      .addPrimaryKeyConstraint('card_wants_pk', ['watchlist_id', 'card_id', 'user_id'])
      .addForeignKeyConstraint('card_wants_of', ['watchlist_id', 'card_id'], 'card', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`create index card_wants_of_user
      on card_wants (watchlist_id, user_id, created_at desc, id desc)`.execute(db)
  },
}
