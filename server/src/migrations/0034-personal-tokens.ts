import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Personal access tokens. `personal_token_key` finds the token of a hash. It has another distribution key, so it has no
 * foreign key.
 */
export const personalTokens: Migration = {
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('personal_token'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('token_hash', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('used_at', id)
      .addColumn('expires_at', id)
      .addPrimaryKeyConstraint('personal_token_pk', ['user_id', 'id'])
      .execute()

    await clustered(db, db.schema.createTable('personal_token_key'))
      .addColumn('token_hash', id, (column) => column.primaryKey())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('token_id', id, (column) => column.notNull())
      .execute()
  },
}
