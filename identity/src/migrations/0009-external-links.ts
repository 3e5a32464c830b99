import { clustered, keyText } from '@marquee/platform/database/columns'
import type { Migration } from '@marquee/platform/database/migrate'

/** The links between accounts and users of the external provider, found from either side. */
export const externalLinks: Migration = {
  up: async (db) => {
    await clustered(db, db.schema.createTable('identity_external_link'))
      .addColumn('sub', keyText(db), (column) => column.primaryKey())
      .addColumn('owner_key', keyText(db), (column) => column.notNull())
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('created_at', keyText(db), (column) => column.notNull())
      .execute()
    await clustered(db, db.schema.createTable('identity_external_owner'))
      .addColumn('owner_key', keyText(db), (column) => column.primaryKey())
      .addColumn('sub', keyText(db), (column) => column.notNull())
      .execute()
  },
}
