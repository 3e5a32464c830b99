import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** `selection_index` is the slot in the box, held only while the card is SUGGESTED. */
export const cards: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('card'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('description', 'text')
      .addColumn('image_url', 'text')
      .addColumn('image_hash', id)
      .addColumn('status', id, (column) => column.notNull())
      .addColumn('creator_id', id, (column) => column.notNull())
      .addColumn('creator_username', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('updated_at', id, (column) => column.notNull())
      .addColumn('status_changed_at', id, (column) => column.notNull())
      .addColumn('status_change_count', 'integer', (column) => column.notNull())
      .addColumn('selection_index', 'integer')
      .addPrimaryKeyConstraint('card_pk', ['watchlist_id', 'id'])
      .addForeignKeyConstraint('card_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .addCheckConstraint('card_slot', sql`(status = 'SUGGESTED') = (selection_index is not null)`)
      .addCheckConstraint('card_image', sql`(image_url is null) <> (image_hash is null)`)
      .execute()
    await sql`create index card_feed on card (watchlist_id, status_changed_at desc, id desc)
      where status <> 'SUGGESTED'`.execute(db)
    await sql`create unique index card_box on card (watchlist_id, selection_index)
      where selection_index is not null`.execute(db)

    await clustered(db, db.schema.createTable('status_change'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('status', id, (column) => column.notNull())
      .addColumn('changed_by', 'text', (column) => column.notNull())
      .addColumn('changed_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('status_change_pk', ['watchlist_id', 'card_id', 'seq'])
      .addForeignKeyConstraint('status_change_of', ['watchlist_id', 'card_id'], 'card', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
