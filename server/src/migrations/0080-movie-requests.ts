import { sql } from 'kysely'

import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * The server that a watchlist asks for movies, and what it has asked for. `target` is the encrypted address with the key, which
 * `creator_id` gave. A request with `due_at` is open: it is sent, or its state is read, when it is due. `sent_at` is null until the server has it.
 */
export const movieRequests: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('request_server'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('askers', 'text', (column) => column.notNull())
      .addColumn('fault', 'text')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('seen_at', id, (column) => column.notNull())
      .addColumn('creator_id', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('request_server_pk', ['watchlist_id'])
      .addForeignKeyConstraint('request_server_of', ['watchlist_id'], 'watchlist', ['id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()

    await clustered(db, db.schema.createTable('movie_request'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('tmdb_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('asker_id', id, (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('sent_at', id)
      .addColumn('due_at', bigInteger(db))
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('claimed_by', id)
      .addPrimaryKeyConstraint('movie_request_pk', ['watchlist_id', 'tmdb_id'])
      .addForeignKeyConstraint('movie_request_of', ['watchlist_id'], 'request_server', ['watchlist_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`create index movie_request_open on movie_request (watchlist_id, due_at) where due_at is not null`.execute(
      db,
    )
    await sql`create index movie_request_due on movie_request (due_at, tmdb_id) where due_at is not null`.execute(db)
  },
}
