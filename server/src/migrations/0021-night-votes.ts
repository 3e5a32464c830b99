import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Votes on shortlists. `result` is a JSON object once the vote is closed. A ballot is known to its author only: `scores` is
 * a JSON object by card, `veto` the vetoed card.
 */
export const nightVotes: Migration = {
  changes: ['watchlist', 'night'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night_vote'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('draw_number', 'integer', (column) => column.notNull())
      .addColumn('opened_by', 'text', (column) => column.notNull())
      .addColumn('opened_at', id, (column) => column.notNull())
      .addColumn('closed_at', id)
      .addColumn('result', 'text')
      .addPrimaryKeyConstraint('night_vote_pk', ['watchlist_id', 'night_id', 'draw_number'])
      .addForeignKeyConstraint('night_vote_at', ['watchlist_id', 'night_id'], 'night', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()

    await clustered(db, db.schema.createTable('night_ballot'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('draw_number', 'integer', (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('scores', 'text', (column) => column.notNull())
      .addColumn('veto', id)
      .addColumn('voted_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('night_ballot_pk', ['watchlist_id', 'night_id', 'draw_number', 'user_id'])
      .addForeignKeyConstraint(
        'night_ballot_in',
        ['watchlist_id', 'night_id', 'draw_number'],
        'night_vote',
        ['watchlist_id', 'night_id', 'draw_number'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await sql`create index night_ballot_of on night_ballot (watchlist_id, user_id, voted_at)`.execute(db)

    await clustered(db, db.schema.createTable('night_setting'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('veto_budget', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('night_setting_pk', ['watchlist_id'])
      .addForeignKeyConstraint('night_setting_of', ['watchlist_id'], 'watchlist', ['id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
