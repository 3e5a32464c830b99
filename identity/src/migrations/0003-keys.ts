import type { Migration } from 'kysely/migration'

import { binary, keyText } from '@marquee/platform/database/columns'

/** What key rotation needs: when a signing key begins to sign, and keys that outlive the master key. */
export const keys: Migration = {
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
    await db.schema.createIndex('identity_user_key_id').on('identity_user').columns(['key_id', 'sub']).execute()
    await db.schema.createIndex('identity_totp_key_id').on('identity_totp').columns(['key_id', 'sub']).execute()
  },
}
