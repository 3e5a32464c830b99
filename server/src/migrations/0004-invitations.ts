import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * `invitation` is what waits, by watchlist; `person_invitation` the same by the invited person, with the hash of the
 * token. There the row stays once it was accepted, for as long as the person is a member. It lies elsewhere once tables
 * are distributed, so no foreign key binds it.
 */
export const invitations: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('invitation'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('invited_by', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('expires_at', id, (column) => column.notNull())
      .addPrimaryKeyConstraint('invitation_pk', ['watchlist_id', 'user_id'])
      .addForeignKeyConstraint('invitation_to', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()

    await clustered(db, db.schema.createTable('person_invitation'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('token_hash', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('invited_by', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('expires_at', id, (column) => column.notNull())
      .addColumn('accepted_at', id)
      .addPrimaryKeyConstraint('person_invitation_pk', ['user_id', 'watchlist_id'])
      .execute()
    await sql`create unique index person_invitation_token on person_invitation (user_id, token_hash)`.execute(db)
    await sql`create index person_invitation_waiting on person_invitation (user_id, created_at desc, watchlist_id)
      where accepted_at is null`.execute(db)
  },
}
