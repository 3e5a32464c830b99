import { sql } from 'kysely'

import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * `version` rises with every change that a page shows; its row is also what the writers of one watchlist queue up
 * behind. People are known by the subject of their tokens; the username is kept beside it because replies show it.
 */
export const watchlists: Migration = {
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('watchlist'))
      .addColumn('id', id, (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('owner_id', id, (column) => column.notNull())
      .addColumn('owner_username', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('updated_at', id, (column) => column.notNull())
      .addColumn('image_hash', id)
      .addColumn('is_private', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('version', bigInteger(db), (column) => column.notNull().defaultTo(1))
      .addColumn('box_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('member_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addCheckConstraint('watchlist_counts', sql`box_count >= 0 and member_count >= 0`)
      .execute()

    await clustered(db, db.schema.createTable('member'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('joined_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('member_pk', ['watchlist_id', 'user_id'])
      .addForeignKeyConstraint('member_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()

    // The same memberships by person. It lies elsewhere once tables are distributed, so no foreign key binds it.
    await clustered(db, db.schema.createTable('person_watchlist'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('joined_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('person_watchlist_pk', ['user_id', 'watchlist_id'])
      .execute()

    await clustered(db, db.schema.createTable('person'))
      .addColumn('user_id', id, (column) => column.primaryKey())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('current_watchlist_id', id)
      .addColumn('avatar_hash', id)
      .execute()
  },
}
