import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Draws and their receipts. `draw_state` has the rule of a watchlist and its last draw number. `candidates` and
 * `server_seed` of a draw are secret until it is revealed; a draw that is over without a reveal loses them. The secret of a
 * card belongs to one stay in the box, which `change_count` names, so a card that returns to the box gets a new one.
 */
export const draws: Migration = {
  changes: ['watchlist', 'card'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('draw_state'))
      .addColumn('watchlist_id', id, (column) => column.primaryKey())
      .addColumn('rule', 'text', (column) => column.notNull().defaultTo('cards'))
      .addColumn('rest', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('draw_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addForeignKeyConstraint('draw_state_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()

    // Not clustered: its rows may be large.
    await db.schema
      .createTable('draw')
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('draw_number', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('rule', 'text', (column) => column.notNull())
      .addColumn('filter', 'text')
      .addColumn('picks', 'integer', (column) => column.notNull())
      .addColumn('eligible', 'integer', (column) => column.notNull())
      .addColumn('people', 'text')
      .addColumn('candidates', 'text')
      .addColumn('server_seed', 'text')
      .addColumn('commitment', 'text')
      .addColumn('seeds', 'text', (column) => column.notNull())
      .addColumn('prepared_at', id, (column) => column.notNull())
      .addColumn('revealed_at', id)
      .addColumn('username', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('draw_pk', ['watchlist_id', 'draw_number'])
      .addForeignKeyConstraint('draw_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()

    await sql`create index draw_prepared on draw (watchlist_id, draw_number) where status = 'prepared'`.execute(db)

    await clustered(db, db.schema.createTable('draw_pick'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('draw_number', 'integer', (column) => column.notNull())
      .addColumn('place', 'integer', (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('ticket', 'text')
      .addColumn('secret', 'text')
      .addColumn('odds', 'text')
      .addPrimaryKeyConstraint('draw_pick_pk', ['watchlist_id', 'draw_number', 'place'])
      .addForeignKeyConstraint(
        'draw_pick_of',
        ['watchlist_id', 'draw_number'],
        'draw',
        ['watchlist_id', 'draw_number'],
        (key) => key.onDelete('cascade'),
      )
      .execute()

    await clustered(db, db.schema.createTable('draw_secret'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('change_count', 'integer', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('draw_secret_pk', ['watchlist_id', 'card_id'])
      .addForeignKeyConstraint('draw_secret_of', ['watchlist_id', 'card_id'], 'card', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
  indexes: [
    {
      name: 'card_put_back',
      on: `card (watchlist_id, status_changed_at) where status = 'SUGGESTED' and status_change_count > 1`,
    },
    { name: 'card_accepted', on: `card (watchlist_id, status_changed_at desc) where status = 'WATCHED'` },
  ],
}
