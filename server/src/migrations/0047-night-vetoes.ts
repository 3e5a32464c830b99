import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Vetoes on revealed cards. `seq` is the status change that put the card back. Without a `user_id` its user has left: the veto
 * still counts in statistics, which would otherwise tell how many vetoes they used.
 */
export const nightVetoes: Migration = {
  changes: ['night'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night_veto'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('user_id', id)
      .addColumn('present', 'integer', (column) => column.notNull())
      .addColumn('vetoed_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('night_veto_pk', ['watchlist_id', 'night_id', 'card_id', 'seq'])
      .addForeignKeyConstraint('night_veto_in', ['watchlist_id', 'night_id'], 'night', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`create index night_veto_of on night_veto (watchlist_id, user_id, vetoed_at)`.execute(db)
    await sql`create index night_veto_time on night_veto (watchlist_id, vetoed_at)`.execute(db)
  },
}
