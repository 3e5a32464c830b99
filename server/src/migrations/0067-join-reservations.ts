import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * The uses of join links that accounts hold until they are confirmed. With `is_returned` the link has it back. Accounts and
 * watchlists have other distribution keys or owners, so there is no foreign key.
 */
export const joinReservations: Migration = {
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('join_reservation'))
      .addColumn('user_id', id, (column) => column.primaryKey())
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('link_id', id, (column) => column.notNull())
      .addColumn('reserved_until', id, (column) => column.notNull())
      .addColumn('is_returned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`create index join_reservation_expiry on join_reservation (is_returned, reserved_until)`.execute(db)
  },
}
