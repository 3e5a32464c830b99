import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * The movies that were accepted in a night, and who watched them. A viewing with a `night_id` was marked by a night, and its
 * member has not changed it since.
 */
export const nightFilms: Migration = {
  changes: ['card', 'night', 'card_viewings'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night_film'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('accepted_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('night_film_pk', ['watchlist_id', 'card_id'])
      .addForeignKeyConstraint('night_film_of', ['watchlist_id', 'card_id'], 'card', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .addForeignKeyConstraint('night_film_at', ['watchlist_id', 'night_id'], 'night', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('night_film_time').on('night_film').columns(['watchlist_id', 'accepted_at']).execute()

    await clustered(db, db.schema.createTable('night_viewer'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('night_viewer_pk', ['watchlist_id', 'card_id', 'user_id'])
      .addForeignKeyConstraint(
        'night_viewer_of',
        ['watchlist_id', 'card_id'],
        'night_film',
        ['watchlist_id', 'card_id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()

    await db.schema.alterTable('card_viewings').addColumn('night_id', id).execute()
  },
  indexes: [
    {
      name: 'card_viewings_unrated',
      on: 'card_viewings (watchlist_id, user_id, changed_at) where night_id is not null',
    },
  ],
}
