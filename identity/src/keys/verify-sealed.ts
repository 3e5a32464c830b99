import { deviceVerifierRow } from '../devices/device-verifier.ts'
import { totpRow } from '../mfa/totp-secret.ts'
import { openFromRow } from '../sealed/sealed-row.ts'
import { signingKeyRow } from '../tokens/make-signing-key.ts'
import { verifierRow } from '../users/password-verifier.ts'
import { lastingKeyRow } from './lasting-keys.ts'
import * as store from './reseal-store.ts'
import type { Pool } from '../base/ports.ts'

/** Before every key id there is: all rows count as sealed under another one. */
const NO_KEY = ''
const ALL = 2 ** 31 - 1

/**
 * Opens everything that is sealed in the database with the master keys at hand. @returns how many values opened.
 * @throws when one does not: it was altered, or sealed with a master key that is not here.
 */
export async function verifySealed(pool: Pick<Pool, 'database' | 'id' | 'keyring'>): Promise<number> {
  const { keyring, id } = pool
  const db = pool.database.read
  const [users, totps, devices, signing, lasting] = [
    await store.listStaleUsers(db, NO_KEY, ALL),
    await store.listStaleTotps(db, NO_KEY, ALL),
    await store.listStaleDevices(db, NO_KEY, ALL),
    await store.listStaleSigningKeys(db, NO_KEY),
    await store.listStaleLastingKeys(db, NO_KEY),
  ]
  for (const row of users) {
    const column = { box: row.verifier_box, keyId: row.key_id }
    openFromRow(keyring, 'srp-verifier', verifierRow(pool, row.sub, row.salt), column)
  }
  for (const row of totps) {
    openFromRow(keyring, 'totp', totpRow(pool, row.sub), { box: row.secret_box, keyId: row.key_id })
  }
  for (const row of devices) {
    const column = { box: row.verifier_box, keyId: row.key_id }
    openFromRow(keyring, 'device-verifier', deviceVerifierRow(pool, row), column)
  }
  for (const row of signing) {
    const column = { box: row.private_box, keyId: row.key_id }
    openFromRow(keyring, 'signing-key', signingKeyRow(id, row.token_use, row.kid), column)
  }
  for (const row of lasting) {
    openFromRow(keyring, 'lasting-key', lastingKeyRow(id, row.purpose), { box: row.box, keyId: row.key_id })
  }
  return users.length + totps.length + devices.length + signing.length + lasting.length
}
