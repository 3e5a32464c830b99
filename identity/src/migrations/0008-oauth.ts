import { bigInteger, binary, clustered, keyText } from '@marquee/platform/database/columns'
import type { Migration } from '@marquee/platform/database/migrate'

/** Authorization codes for other tools, and the scopes of the sessions that they become. */
export const oauth: Migration = {
  up: async (db) => {
    await clustered(db, db.schema.createTable('identity_oauth_code'))
      .addColumn('sub', keyText(db), (column) => column.notNull())
      .addColumn('code_hash', binary(db), (column) => column.notNull())
      .addColumn('client_id', keyText(db), (column) => column.notNull())
      .addColumn('redirect_uri', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('nonce', 'text')
      .addColumn('challenge', keyText(db), (column) => column.notNull())
      .addColumn('fingerprint', keyText(db), (column) => column.notNull())
      .addColumn('auth_time', bigInteger(db), (column) => column.notNull())
      .addColumn('expires_at', keyText(db), (column) => column.notNull())
      .addColumn('origin_jti', keyText(db))
      .addPrimaryKeyConstraint('identity_oauth_code_pk', ['sub', 'code_hash'])
      .execute()
    await db.schema.createIndex('identity_oauth_code_expiry').on('identity_oauth_code').column('expires_at').execute()
    await clustered(db, db.schema.createTable('identity_oauth_grant'))
      .addColumn('sub', keyText(db), (column) => column.notNull())
      .addColumn('origin_jti', keyText(db), (column) => column.notNull())
      .addColumn('client_id', keyText(db), (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('expires_at', keyText(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('identity_oauth_grant_pk', ['sub', 'origin_jti'])
      .execute()
    await db.schema.createIndex('identity_oauth_grant_expiry').on('identity_oauth_grant').column('expires_at').execute()
  },
}
