import { sql } from 'kysely'

import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Which services stream the movies of cards in the box: `services` is a JSON array of ids. Only draws read it. `box_reading` has
 * the watchlists whose boxes are looked through when they are due, from the slot `next_slot` on.
 */
export const boxOffers: Migration = {
  changes: ['watchlist', 'card'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('box_reading'))
      .addColumn('watchlist_id', id, (column) => column.primaryKey())
      .addColumn('next_slot', 'integer', (column) => column.notNull())
      .addColumn('due_at', bigInteger(db), (column) => column.notNull())
      .addForeignKeyConstraint('box_reading_of', ['watchlist_id'], 'watchlist', ['id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`create index box_reading_due on box_reading (due_at)`.execute(db)

    await clustered(db, db.schema.createTable('box_offer'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('country', id, (column) => column.notNull())
      .addColumn('tmdb_id', id, (column) => column.notNull())
      .addColumn('services', 'text', (column) => column.notNull())
      .addColumn('asked_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('box_offer_pk', ['watchlist_id', 'card_id'])
      .addForeignKeyConstraint('box_offer_of', ['watchlist_id', 'card_id'], 'card', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
  indexes: [{ name: 'watchlist_country', on: 'watchlist (id) where country is not null' }],
}
