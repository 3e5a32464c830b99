import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** The movie night of a draw, and the seeds that devices at the night have sent before the reveal. */
export const drawSeeds: Migration = {
  changes: ['draw'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await db.schema.alterTable('draw').addColumn('night_id', id).execute()
    await clustered(db, db.schema.createTable('draw_seed'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('draw_number', 'integer', (column) => column.notNull())
      .addColumn('seed', id, (column) => column.notNull())
      .addColumn('person_id', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('draw_seed_pk', ['watchlist_id', 'draw_number', 'seed'])
      .addForeignKeyConstraint(
        'draw_seed_of',
        ['watchlist_id', 'draw_number'],
        'draw',
        ['watchlist_id', 'draw_number'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
  },
}
