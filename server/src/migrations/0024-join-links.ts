import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Links with which anyone can join a watchlist. `join_token` finds the link of a token. It has another distribution key,
 * so it has no foreign key. A watchlist without a row in `join_policy` lets all members create links.
 */
export const joinLinks: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('join_link'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('token_hash', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('expires_at', id, (column) => column.notNull())
      .addColumn('revoked_at', id)
      .addColumn('max_uses', 'integer', (column) => column.notNull())
      .addColumn('uses', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('join_link_pk', ['watchlist_id', 'id'])
      .addForeignKeyConstraint('join_link_to', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()

    await clustered(db, db.schema.createTable('join_token'))
      .addColumn('token_hash', id, (column) => column.primaryKey())
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('link_id', id, (column) => column.notNull())
      .execute()

    await clustered(db, db.schema.createTable('join_policy'))
      .addColumn('watchlist_id', id, (column) => column.primaryKey())
      .addColumn('creators', 'text', (column) => column.notNull())
      .addForeignKeyConstraint('join_policy_of', ['watchlist_id'], 'watchlist', ['id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
