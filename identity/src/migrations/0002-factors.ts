import { bigInteger, binary, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** Second factors, and attributes besides the name. */
export const factors: Migration = {
  changes: ['identity_user'],
  up: async (db) => {
    await extendUsers(db)
    await addFactors(db)
    await addSignIns(db)
  },
}

async function extendUsers(db: AnyDb): Promise<void> {
  const user = () => db.schema.alterTable('identity_user')
  await user()
    .addColumn('enabled', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await user().addColumn('temporary_until', keyText(db)).execute()
  await user().addColumn('pending_email', 'text').execute()
  await user().addColumn('phone_number', 'text').execute()
  await user().addColumn('pending_phone', 'text').execute()
  await user()
    .addColumn('mfa_methods', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await user().addColumn('mfa_preferred', 'text').execute()
}

async function addFactors(db: AnyDb): Promise<void> {
  await clustered(db, db.schema.createTable('identity_totp'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('state', keyText(db), (column) => column.notNull())
    .addColumn('secret_box', binary(db), (column) => column.notNull())
    .addColumn('key_id', keyText(db), (column) => column.notNull())
    .addColumn('last_step', bigInteger(db), (column) => column.notNull())
    .addColumn('friendly_name', 'text')
    .addColumn('created_at', keyText(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_totp_pk', ['sub', 'state'])
    .execute()
  await clustered(db, db.schema.createTable('identity_recovery_code'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('mac', binary(db), (column) => column.notNull())
    .addColumn('created_at', keyText(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_recovery_code_pk', ['sub', 'mac'])
    .execute()
}

async function addSignIns(db: AnyDb): Promise<void> {
  await clustered(db, db.schema.createTable('identity_sign_in'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('nonce', keyText(db), (column) => column.notNull())
    .addColumn('answers', 'integer', (column) => column.notNull())
    .addColumn('expires_at', keyText(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_sign_in_pk', ['sub', 'nonce'])
    .execute()
  await db.schema.createIndex('identity_sign_in_expiry').on('identity_sign_in').column('expires_at').execute()
}
