import { binary, keyText } from '@marquee/platform/database/columns'
import type { Migration } from '@marquee/platform/database/migrate'

/** What key rotation needs: when a signing key begins to sign, and keys that outlive the master key. */
export const keys: Migration = {
  changes: ['identity_signing_key'],
  up: async (db) => {
    await db.schema
      .alterTable('identity_signing_key')
      // The existing keys sign already: the empty time is before all others.
      .addColumn('signs_from', keyText(db), (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createTable('identity_lasting_key')
      .addColumn('purpose', keyText(db), (column) => column.primaryKey())
      .addColumn('box', binary(db), (column) => column.notNull())
      .addColumn('key_id', keyText(db), (column) => column.notNull())
      .addColumn('created_at', keyText(db), (column) => column.notNull())
      .execute()
  },
  indexes: [
    { name: 'identity_user_key_id', on: 'identity_user (key_id, sub)' },
    { name: 'identity_totp_key_id', on: 'identity_totp (key_id, sub)' },
  ],
}
