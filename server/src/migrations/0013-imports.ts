import { sql } from 'kysely'

import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Imports of movies from files. `due_at` is set while an import is being applied or undone, in the background. Each row
 * knows the id of its card before there is one, and `outcome` says whether it was added.
 */
export const imports: Migration = {
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('movie_import'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('file_name', 'text', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('problems', 'text', (column) => column.notNull())
      .addColumn('problem_count', 'integer', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('due_at', bigInteger(db))
      .addPrimaryKeyConstraint('movie_import_pk', ['user_id', 'id'])
      .execute()
    await sql`create index movie_import_due on movie_import (due_at) where due_at is not null`.execute(db)
    await db.schema.createIndex('movie_import_age').on('movie_import').column('created_at').execute()

    await clustered(db, db.schema.createTable('import_row'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('import_id', id, (column) => column.notNull())
      .addColumn('place', 'integer', (column) => column.notNull())
      .addColumn('file', 'text')
      .addColumn('file_row', 'integer', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('movie', 'text', (column) => column.notNull())
      .addColumn('is_seen', 'integer', (column) => column.notNull())
      .addColumn('category', 'text', (column) => column.notNull())
      .addColumn('match_card_id', id)
      .addColumn('match_place', 'integer')
      .addColumn('is_chosen', 'integer', (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('outcome', 'text')
      .addPrimaryKeyConstraint('import_row_pk', ['user_id', 'import_id', 'place'])
      .addForeignKeyConstraint('import_row_of', ['user_id', 'import_id'], 'movie_import', ['user_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
