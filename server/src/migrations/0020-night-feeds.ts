import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** The secret address of a member's calendar with the movie nights of a watchlist, as a hash. */
export const nightFeeds: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night_feed'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('token_hash', id, (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('night_feed_pk', ['watchlist_id', 'user_id'])
      .addForeignKeyConstraint('night_feed_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()
    await sql`create unique index night_feed_token on night_feed (watchlist_id, token_hash)`.execute(db)
  },
}
