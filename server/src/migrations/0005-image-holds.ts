import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * `image_hold` has a row for each image that an upload is about to refer to (held until then), or that the sweep is
 * removing (`is_going`), so that neither gets into the other's way. The indexes tell the sweep what is in use.
 */
export const imageHolds: Migration = {
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('image_hold'))
      .addColumn('hash', id, (column) => column.primaryKey())
      .addColumn('held_until', id, (column) => column.notNull())
      .addColumn('is_going', 'integer', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('image_hold_expiry').on('image_hold').columns(['is_going', 'held_until']).execute()
  },
  indexes: [
    { name: 'card_image_hash', on: 'card (image_hash) where image_hash is not null' },
    { name: 'watchlist_image_hash', on: 'watchlist (image_hash) where image_hash is not null' },
    { name: 'person_avatar_hash', on: 'person (avatar_hash) where avatar_hash is not null' },
  ],
}
