import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Posters given by their address are copied in the background. `image_url` keeps the address, `copy_hash` is the name of
 * the copy, and `copy_failed` is 1 if the creator is to see that there is none. `poster_request` has a row for each copy
 * that is still to be made. `card_uncopied` finds cards without copy or row, from earlier versions.
 */
export const posters: Migration = {
  changes: ['card'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await db.schema.alterTable('card').addColumn('copy_hash', id).execute()
    await db.schema
      .alterTable('card')
      .addColumn('copy_failed', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()

    await clustered(db, db.schema.createTable('poster_request'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('due_at', bigInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('poster_request_pk', ['watchlist_id', 'card_id'])
      .addForeignKeyConstraint(
        'poster_request_of',
        ['watchlist_id', 'card_id'],
        'card',
        ['watchlist_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('poster_request_due').on('poster_request').column('due_at').execute()
  },
  indexes: [
    { name: 'card_copy_hash', on: 'card (copy_hash) where copy_hash is not null' },
    {
      name: 'card_uncopied',
      on: 'card (watchlist_id, id) where image_url is not null and copy_hash is null and copy_failed = 0',
    },
  ],
}
