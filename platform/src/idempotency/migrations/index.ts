import { binary, clustered, keyText } from '../../database/columns.ts'
import type { Migrations } from '../../database/migrate.ts'

/**
 * Replies to calls that create something, by caller. Neither the key nor the request is stored. The reply is encrypted
 * with the key, because it may contain secrets such as an invitation's token.
 */
export const idempotencyMigrations: Migrations = {
  '0001_replies': {
    up: async (db) => {
      await clustered(db, db.schema.createTable('idempotent_reply'))
        .addColumn('user_id', keyText(db), (column) => column.notNull())
        .addColumn('endpoint', keyText(db), (column) => column.notNull())
        .addColumn('key_hash', binary(db), (column) => column.notNull())
        .addColumn('request_mac', binary(db), (column) => column.notNull())
        .addColumn('reply_box', binary(db))
        .addColumn('created_at', keyText(db), (column) => column.notNull())
        .addPrimaryKeyConstraint('idempotent_reply_pk', ['user_id', 'endpoint', 'key_hash'])
        .execute()
      await db.schema.createIndex('idempotent_reply_age').on('idempotent_reply').column('created_at').execute()
    },
  },
}
