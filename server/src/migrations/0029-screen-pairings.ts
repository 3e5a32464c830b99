import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Screens that wait for a member to type their code, and for a while those that have found their night. The rows belong to no
 * watchlist yet, so they have no foreign key.
 */
export const screenPairings: Migration = {
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('screen_pairing'))
      .addColumn('code', id, (column) => column.primaryKey())
      .addColumn('secret_hash', id, (column) => column.notNull())
      .addColumn('expires_at', id, (column) => column.notNull())
      .addColumn('watchlist_id', id)
      .addColumn('night_id', id)
      .addColumn('pass_id', id)
      .execute()
    await sql`create index screen_pairing_expiry on screen_pairing (expires_at)`.execute(db)
  },
}
