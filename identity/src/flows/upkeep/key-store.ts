import type { SealedColumn } from '../../base/keys/keyring.ts'

import type { Db, DeviceRow, IdentityTables, TotpRow, UserRow } from '../../base/tables.ts'

/**
 * Rows sealed under another master key than the current one, as two ranges of the index on `key_id`, so that the search
 * does not read current rows. Each `set` changes nothing if the row has changed in the meantime.
 */
export type StaleUser = Pick<UserRow, 'sub' | 'salt' | 'verifier_box' | 'key_id'>

export async function listStaleUsers(db: Db, keyId: string, limit: number): Promise<StaleUser[]> {
  const users = db.selectFrom('identity_user').select(['sub', 'salt', 'verifier_box', 'key_id'])
  const [before, after] = [users.where('key_id', '<', keyId), users.where('key_id', '>', keyId)]
  return await before.unionAll(after).limit(limit).execute()
}

export async function setVerifierBox(trx: Db, row: StaleUser, { box, keyId }: SealedColumn): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ verifier_box: box, key_id: keyId })
    .where('sub', '=', row.sub)
    .where('salt', '=', row.salt)
    .execute()
}

export async function listStaleTotps(db: Db, keyId: string, limit: number): Promise<TotpRow[]> {
  const totps = db.selectFrom('identity_totp').selectAll()
  const [before, after] = [totps.where('key_id', '<', keyId), totps.where('key_id', '>', keyId)]
  return await before.unionAll(after).limit(limit).execute()
}

export async function setTotpBox(trx: Db, row: TotpRow, { box, keyId }: SealedColumn): Promise<void> {
  await trx
    .updateTable('identity_totp')
    .set({ secret_box: box, key_id: keyId })
    .where('sub', '=', row.sub)
    .where('state', '=', row.state)
    .where('secret_box', '=', row.secret_box)
    .execute()
}

export async function listStaleDevices(db: Db, keyId: string, limit: number): Promise<DeviceRow[]> {
  const devices = db.selectFrom('identity_device').selectAll()
  const [before, after] = [devices.where('key_id', '<', keyId), devices.where('key_id', '>', keyId)]
  return await before.unionAll(after).limit(limit).execute()
}

export async function setDeviceBox(trx: Db, row: DeviceRow, { box, keyId }: SealedColumn): Promise<void> {
  await trx
    .updateTable('identity_device')
    .set({ verifier_box: box, key_id: keyId })
    .where('sub', '=', row.sub)
    .where('device_key', '=', row.device_key)
    .execute()
}

export type StaleSigningKey = Pick<
  IdentityTables['identity_signing_key'],
  'token_use' | 'kid' | 'private_box' | 'key_id'
>

export async function listStaleSigningKeys(db: Db, keyId: string): Promise<StaleSigningKey[]> {
  return await db
    .selectFrom('identity_signing_key')
    .select(['token_use', 'kid', 'private_box', 'key_id'])
    .where('key_id', '<>', keyId)
    .execute()
}

export async function setPrivateBox(trx: Db, row: StaleSigningKey, { box, keyId }: SealedColumn): Promise<void> {
  await trx
    .updateTable('identity_signing_key')
    .set({ private_box: box, key_id: keyId })
    .where('kid', '=', row.kid)
    .execute()
}

export async function listStaleLastingKeys(db: Db, keyId: string): Promise<LastingKeyRow[]> {
  return await db.selectFrom('identity_lasting_key').selectAll().where('key_id', '<>', keyId).execute()
}

export async function setLastingBox(trx: Db, row: LastingKeyRow, { box, keyId }: SealedColumn): Promise<void> {
  await trx.updateTable('identity_lasting_key').set({ box, key_id: keyId }).where('purpose', '=', row.purpose).execute()
}

export type LastingKeyRow = IdentityTables['identity_lasting_key']

/** Stores a key unless there is one for that purpose: of two processes the first one wins. */
export async function addLastingKey(trx: Db, key: LastingKeyRow): Promise<void> {
  await trx
    .insertInto('identity_lasting_key')
    .values(key)
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
}

export async function listLastingKeys(db: Db): Promise<LastingKeyRow[]> {
  return await db.selectFrom('identity_lasting_key').selectAll().execute()
}
