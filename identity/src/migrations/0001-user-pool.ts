import { bigInteger, binary, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * The pool and its users. `identity_login_name` is keyed by the name, so that a username or a verified e-mail belongs
 * to one user. All other data of a user is keyed by their `sub` first.
 */
export const userPool: Migration = {
  up: async (db) => {
    await addPool(db)
    await addUsers(db)
    await addSessions(db)
    await addLimits(db)
  },
}

async function addPool(db: AnyDb): Promise<void> {
  await db.schema
    .createTable('identity_pool')
    .addColumn('slot', keyText(db), (column) => column.primaryKey())
    .addColumn('user_pool_id', keyText(db), (column) => column.notNull())
    .addColumn('client_id', keyText(db), (column) => column.notNull())
    .addColumn('created_at', keyText(db), (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('identity_signing_key')
    .addColumn('token_use', keyText(db), (column) => column.notNull())
    .addColumn('generation', 'integer', (column) => column.notNull())
    .addColumn('kid', keyText(db), (column) => column.notNull())
    .addColumn('public_jwk', 'text', (column) => column.notNull())
    .addColumn('private_box', binary(db), (column) => column.notNull())
    .addColumn('key_id', keyText(db), (column) => column.notNull())
    .addColumn('created_at', keyText(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_signing_key_pk', ['token_use', 'generation'])
    .execute()
}

async function addUsers(db: AnyDb): Promise<void> {
  await db.schema
    .createTable('identity_user')
    .addColumn('sub', keyText(db), (column) => column.primaryKey())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', keyText(db), (column) => column.notNull())
    .addColumn('email_verified', 'integer', (column) => column.notNull())
    .addColumn('status', keyText(db), (column) => column.notNull())
    .addColumn('salt', binary(db), (column) => column.notNull())
    .addColumn('verifier_box', binary(db), (column) => column.notNull())
    .addColumn('key_id', keyText(db), (column) => column.notNull())
    .addColumn('created_at', keyText(db), (column) => column.notNull())
    .addColumn('updated_at', keyText(db), (column) => column.notNull())
    .addColumn('signed_in_at', keyText(db))
    .execute()
  await db.schema.createIndex('identity_user_abandoned').on('identity_user').columns(['status', 'created_at']).execute()
  await clustered(db, db.schema.createTable('identity_login_name'))
    .addColumn('name_key', keyText(db), (column) => column.primaryKey())
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('kind', keyText(db), (column) => column.notNull())
    .execute()
  await db.schema.createIndex('identity_login_name_sub').on('identity_login_name').column('sub').execute()
  await clustered(db, db.schema.createTable('identity_pending_email'))
    .addColumn('email_key', keyText(db), (column) => column.notNull())
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('created_at', keyText(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_pending_email_pk', ['email_key', 'sub'])
    .execute()
  await clustered(db, db.schema.createTable('identity_code'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('purpose', keyText(db), (column) => column.notNull())
    .addColumn('mac', binary(db), (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('expires_at', keyText(db), (column) => column.notNull())
    .addColumn('used_at', keyText(db))
    .addPrimaryKeyConstraint('identity_code_pk', ['sub', 'purpose'])
    .execute()
  await db.schema.createIndex('identity_code_expiry').on('identity_code').column('expires_at').execute()
}

async function addSessions(db: AnyDb): Promise<void> {
  await clustered(db, db.schema.createTable('identity_session'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('origin_jti', keyText(db), (column) => column.notNull())
    .addColumn('client_id', keyText(db), (column) => column.notNull())
    .addColumn('event_id', keyText(db), (column) => column.notNull())
    .addColumn('auth_time', bigInteger(db), (column) => column.notNull())
    .addColumn('expires_at', keyText(db), (column) => column.notNull())
    .addColumn('revoked_at', keyText(db))
    .addPrimaryKeyConstraint('identity_session_pk', ['sub', 'origin_jti'])
    .execute()
  await db.schema.createIndex('identity_session_expiry').on('identity_session').column('expires_at').execute()
  await clustered(db, db.schema.createTable('identity_refresh_token'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('origin_jti', keyText(db), (column) => column.notNull())
    .addColumn('token_hash', binary(db), (column) => column.notNull())
    .addColumn('expires_at', keyText(db), (column) => column.notNull())
    .addColumn('replaced_at', keyText(db))
    .addPrimaryKeyConstraint('identity_refresh_token_pk', ['sub', 'origin_jti', 'token_hash'])
    .execute()
  await db.schema
    .createIndex('identity_refresh_token_expiry')
    .on('identity_refresh_token')
    .column('expires_at')
    .execute()
}

async function addLimits(db: AnyDb): Promise<void> {
  await clustered(db, db.schema.createTable('identity_lockout'))
    .addColumn('sub', keyText(db), (column) => column.primaryKey())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_failure_at', keyText(db), (column) => column.notNull())
    .addColumn('locked_until', keyText(db), (column) => column.notNull())
    .execute()
  await db.schema.createIndex('identity_lockout_age').on('identity_lockout').column('last_failure_at').execute()
  await clustered(db, db.schema.createTable('identity_quota'))
    .addColumn('sub', keyText(db), (column) => column.notNull())
    .addColumn('operation', keyText(db), (column) => column.notNull())
    .addColumn('recent', 'text', (column) => column.notNull())
    .addColumn('last_at', keyText(db), (column) => column.notNull())
    .addColumn('version', bigInteger(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_quota_pk', ['sub', 'operation'])
    .execute()
  await db.schema.createIndex('identity_quota_age').on('identity_quota').column('last_at').execute()
  await clustered(db, db.schema.createTable('identity_used_nonce'))
    .addColumn('nonce', keyText(db), (column) => column.primaryKey())
    .addColumn('expires_at', keyText(db), (column) => column.notNull())
    .execute()
  await db.schema.createIndex('identity_used_nonce_expiry').on('identity_used_nonce').column('expires_at').execute()
}
