import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Passes let guests and screens without an account into one night. `name` is the nickname of a guest, `created_by` the member
 * who let a guest without a phone or a screen in, `claimed_by` the id of the user that a guest turned out to be. `night_claim`
 * finds the passes of a user, and `night_code` the night of a code. Both have another distribution key, so they have no
 * foreign key.
 */
export const nightPasses: Migration = {
  changes: ['night'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('night_pass'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('token_hash', id, (column) => column.notNull())
      .addColumn('name', 'text')
      .addColumn('created_by', 'text')
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('expires_at', id, (column) => column.notNull())
      .addColumn('ended_at', id)
      .addColumn('claimed_by', id)
      .addPrimaryKeyConstraint('night_pass_pk', ['watchlist_id', 'night_id', 'id'])
      .addForeignKeyConstraint('night_pass_to', ['watchlist_id', 'night_id'], 'night', ['watchlist_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`create unique index night_pass_token on night_pass (watchlist_id, night_id, token_hash)`.execute(db)

    await clustered(db, db.schema.createTable('night_claim'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('pass_id', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('night_claim_pk', ['user_id', 'watchlist_id', 'night_id', 'pass_id'])
      .execute()

    await db.schema.alterTable('night').addColumn('join_code', 'text').execute()
    await clustered(db, db.schema.createTable('night_code'))
      .addColumn('code', id, (column) => column.primaryKey())
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('night_id', id, (column) => column.notNull())
      .addColumn('expires_at', id, (column) => column.notNull())
      .execute()
  },
}
