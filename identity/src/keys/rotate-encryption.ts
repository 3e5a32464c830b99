import type { KeyPurpose } from '../sealed/keyring.ts'
import { openFromRow, type SealedColumn, sealForRow } from '../sealed/sealed-row.ts'
import { deviceVerifierRow } from '../devices/device-verifier.ts'
import { totpRow } from '../mfa/totp-secret.ts'
import type { Db } from '../tables.ts'
import { signingKeyRow } from '../tokens/make-signing-key.ts'
import { verifierRow } from '../users/password-verifier.ts'
import { lastingKeyRow } from './lasting-keys.ts'
import * as store from './reseal-store.ts'
import type { Pool } from '../base/ports.ts'

const BATCH = 100

/**
 * Encrypts everything anew that is still under an older master key, a batch a transaction, while the pool is in use.
 * Afterwards the older master keys may be taken away. Ends early once `signal` says so. @returns how many rows were encrypted anew.
 * @throws when a row belongs to a master key that was not given.
 */
export async function rotateEncryption(
  pool: Pick<Pool, 'database' | 'id' | 'keyring' | 'random'>,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0
  for (;;) {
    const done = await pool.database.transaction(async (trx) => await resealBatch(pool, trx))
    total += done
    if (done === 0 || signal?.aborted === true) return total
  }
}

async function resealBatch(pool: Pick<Pool, 'id' | 'keyring' | 'random'>, trx: Db): Promise<number> {
  const { currentId } = pool.keyring
  const again = (purpose: KeyPurpose, row: string, column: SealedColumn) =>
    sealForRow(pool, purpose, row, openFromRow(pool.keyring, purpose, row, column))

  const users = await store.listStaleUsers(trx, currentId, BATCH)
  for (const row of users) {
    const column = { box: row.verifier_box, keyId: row.key_id }
    await store.setVerifierBox(trx, row, again('srp-verifier', verifierRow(pool, row.sub, row.salt), column))
  }
  const totps = await store.listStaleTotps(trx, currentId, BATCH)
  for (const row of totps) {
    const column = { box: row.secret_box, keyId: row.key_id }
    await store.setTotpBox(trx, row, again('totp', totpRow(pool, row.sub), column))
  }
  const devices = await store.listStaleDevices(trx, currentId, BATCH)
  for (const row of devices) {
    const column = { box: row.verifier_box, keyId: row.key_id }
    await store.setDeviceBox(trx, row, again('device-verifier', deviceVerifierRow(pool, row), column))
  }
  const signing = await store.listStaleSigningKeys(trx, currentId)
  for (const row of signing) {
    const column = { box: row.private_box, keyId: row.key_id }
    const name = signingKeyRow(pool.id, row.token_use, row.kid)
    await store.setPrivateBox(trx, row.kid, again('signing-key', name, column))
  }
  const lasting = await store.listStaleLastingKeys(trx, currentId)
  for (const row of lasting) {
    const column = { box: row.box, keyId: row.key_id }
    await store.setLastingBox(trx, row, again('lasting-key', lastingKeyRow(pool.id, row.purpose), column))
  }
  return users.length + totps.length + devices.length + signing.length + lasting.length
}
