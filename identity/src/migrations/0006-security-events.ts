import { clustered, keyText } from '@marquee/platform/database/columns'
import type { Migration } from '@marquee/platform/database/migrate'

/** The security events of an account, and the client and last use of each session. */
export const securityEvents: Migration = {
  changes: ['identity_session'],
  up: async (db) => {
    await db.schema.alterTable('identity_session').addColumn('client', 'text').execute()
    await db.schema.alterTable('identity_session').addColumn('used_at', keyText(db)).execute()
    await clustered(db, db.schema.createTable('identity_security_event'))
      .addColumn('sub', keyText(db), (column) => column.notNull())
      .addColumn('id', keyText(db), (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('client', 'text', (column) => column.notNull())
      .addColumn('at', keyText(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('identity_security_event_pk', ['sub', 'id'])
      .execute()
    await db.schema.createIndex('identity_security_event_age').on('identity_security_event').column('at').execute()
  },
}
