import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Who has left a night during an open vote, by themselves or removed by others, and the hashes of seeds. `draw.hashes` is a JSON array once the hashes of a draw
 * are closed. `absent` is a JSON array of the devices that did not open their seed; only a draw that was revealed with its
 * hashes, or ended because of absent devices, has it. `draw_seed_hash.seed` is null until the device opens it.
 */
export const secretVotesAndSeedHashes: Migration = {
  changes: ['draw', 'night_vote'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night_absentee'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('draw_number', 'integer', (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('is_removed', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('night_absentee_pk', ['watchlist_id', 'night_id', 'draw_number', 'user_id'])
      .addForeignKeyConstraint(
        'night_absentee_in',
        ['watchlist_id', 'night_id', 'draw_number'],
        'night_vote',
        ['watchlist_id', 'night_id', 'draw_number'],
        (key) => key.onDelete('cascade'),
      )
      .execute()

    for (const column of ['hashes', 'hashes_closed_at', 'absent']) {
      await db.schema.alterTable('draw').addColumn(column, 'text').execute()
    }
    await clustered(db, db.schema.createTable('draw_seed_hash'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('draw_number', 'integer', (column) => column.notNull())
      .addColumn('hash', id, (column) => column.notNull())
      .addColumn('person_id', id, (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('seed', 'text')
      .addColumn('sits_out', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('draw_seed_hash_pk', ['watchlist_id', 'draw_number', 'hash'])
      .addForeignKeyConstraint(
        'draw_seed_hash_of',
        ['watchlist_id', 'draw_number'],
        'draw',
        ['watchlist_id', 'draw_number'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
  },
}
