import { bigInteger, binary, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** Devices that signed in before, and passkeys. */
export const devicesAndPasskeys: Migration = {
  changes: ['identity_session'],
  up: async (db) => {
    await addDevices(db)
    await addPasskeys(db)
  },
}

async function addDevices(db: AnyDb): Promise<void> {
  const session = () => db.schema.alterTable('identity_session')
  await session().addColumn('device_key', keyText(db)).execute()
  await session().addColumn('device_group_key', keyText(db)).execute()
  await clustered(db, db.schema.createTable('identity_device'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('device_key', keyText(db), (column) => column.notNull())
    .addColumn('group_key', keyText(db), (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('remembered', 'integer', (column) => column.notNull())
    .addColumn('salt', binary(db), (column) => column.notNull())
    .addColumn('verifier_box', binary(db), (column) => column.notNull())
    .addColumn('key_id', keyText(db), (column) => column.notNull())
    .addColumn('created_at', keyText(db), (column) => column.notNull())
    .addColumn('updated_at', keyText(db), (column) => column.notNull())
    .addColumn('signed_in_at', keyText(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_device_pk', ['sub', 'device_key'])
    .execute()
  await db.schema.createIndex('identity_device_key_id').on('identity_device').columns(['key_id', 'sub']).execute()
}

async function addPasskeys(db: AnyDb): Promise<void> {
  await clustered(db, db.schema.createTable('identity_passkey'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('credential_id', keyText(db), (column) => column.notNull())
    .addColumn('public_key', binary(db), (column) => column.notNull())
    .addColumn('counter', bigInteger(db), (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('rp_id', 'text', (column) => column.notNull())
    .addColumn('attachment', 'text')
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('created_at', keyText(db), (column) => column.notNull())
    .addColumn('used_at', keyText(db))
    .addPrimaryKeyConstraint('identity_passkey_pk', ['sub', 'credential_id'])
    .execute()
  // A passkey belongs to one user: no other user can register it.
  await clustered(db, db.schema.createTable('identity_passkey_owner'))
    .addColumn('credential_id', keyText(db), (column) => column.primaryKey())
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .execute()
  await clustered(db, db.schema.createTable('identity_passkey_challenge'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('challenge', keyText(db), (column) => column.notNull())
    .addColumn('expires_at', keyText(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_passkey_challenge_pk', ['sub', 'challenge'])
    .execute()
  await db.schema
    .createIndex('identity_passkey_challenge_expiry')
    .on('identity_passkey_challenge')
    .column('expires_at')
    .execute()
}
