import { sql } from 'kysely'

import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Media servers of watchlists. `target` is the encrypted address with the key. A server is read when it is due, into a new
 * list, which becomes `list_id` once it is complete. A list with `due_at` is removed in the background. A movie has a row for
 * each of its ids, or one for its title if it has none.
 */
export const mediaServers: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('media_server'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('machine_id', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('open_url', 'text')
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('fault', 'text')
      .addColumn('seen_at', id)
      .addColumn('read_at', id)
      .addColumn('movies', 'integer')
      .addColumn('list_id', id)
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('creator_id', id, (column) => column.notNull())
      .addColumn('due_at', bigInteger(db), (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('claimed_by', id)
      .addPrimaryKeyConstraint('media_server_pk', ['watchlist_id', 'id'])
      .addForeignKeyConstraint('media_server_of', ['watchlist_id'], 'watchlist', ['id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`create index media_server_due on media_server (due_at, id)`.execute(db)

    await clustered(db, db.schema.createTable('media_list'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('server_id', id, (column) => column.notNull())
      .addColumn('due_at', bigInteger(db))
      .addPrimaryKeyConstraint('media_list_pk', ['watchlist_id', 'id'])
      .addForeignKeyConstraint('media_list_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()
    await sql`create index media_list_due on media_list (due_at, id) where due_at is not null`.execute(db)

    await clustered(db, db.schema.createTable('media_movie'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('list_id', id, (column) => column.notNull())
      .addColumn('movie_key', id, (column) => column.notNull())
      .addColumn('item_id', id, (column) => column.notNull())
      .addColumn('year', 'integer')
      .addPrimaryKeyConstraint('media_movie_pk', ['watchlist_id', 'list_id', 'movie_key', 'item_id'])
      .addForeignKeyConstraint(
        'media_movie_of',
        ['watchlist_id', 'list_id'],
        'media_list',
        ['watchlist_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
  },
}
