import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** What the people of a draw could expect, and what they got. Draws that were revealed before have no shares. */
export const drawShares: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('draw_share'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('revealed_at', id, (column) => column.notNull())
      .addColumn('draw_number', 'integer', (column) => column.notNull())
      .addColumn('username', id, (column) => column.notNull())
      .addColumn('expected', 'text', (column) => column.notNull())
      .addColumn('actual', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('draw_share_pk', ['watchlist_id', 'revealed_at', 'draw_number', 'username'])
      .addForeignKeyConstraint('draw_share_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()
  },
}
