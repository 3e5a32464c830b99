import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Movie nights. `times` is a JSON array of the proposed times, `current_until` when the night leaves the list by itself,
 * `revision` counts the changes of its calendar entry.
 */
export const nights: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('times', 'text', (column) => column.notNull())
      .addColumn('time_zone', 'text')
      .addColumn('place', 'text')
      .addColumn('note', 'text')
      .addColumn('max_runtime_minutes', 'integer')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('current_until', id, (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('updated_at', id, (column) => column.notNull())
      .addColumn('started_at', id)
      .addColumn('ended_at', id)
      .addPrimaryKeyConstraint('night_pk', ['watchlist_id', 'id'])
      .addForeignKeyConstraint('night_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()
    await sql`create unique index night_open on night (watchlist_id) where state = 'open'`.execute(db)
    await db.schema.createIndex('night_current').on('night').columns(['watchlist_id', 'current_until']).execute()

    await clustered(db, db.schema.createTable('night_answer'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('starts_at', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('night_answer_pk', ['watchlist_id', 'night_id', 'starts_at', 'user_id'])
      .addForeignKeyConstraint(
        'night_answer_to',
        ['watchlist_id', 'night_id'],
        'night',
        ['watchlist_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()

    await clustered(db, db.schema.createTable('night_presence'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('since', id, (column) => column.notNull())
      .addColumn('left_at', id)
      .addPrimaryKeyConstraint('night_presence_pk', ['watchlist_id', 'night_id', 'user_id'])
      .addForeignKeyConstraint(
        'night_presence_at',
        ['watchlist_id', 'night_id'],
        'night',
        ['watchlist_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
  },
}
