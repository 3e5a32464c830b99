import { DAY_MS, HOUR_MS } from '@marquee/platform/runtime/durations'

import { type Pool, TOKEN_USES, type TokenUse } from '../../base/ports.ts'
import { type KeyPurpose, openFromRow, type SealedColumn, sealForRow } from '../../base/keys/keyring.ts'
import type { Db } from '../../base/tables.ts'
import { deviceVerifierRow } from '../../parts/devices/device.ts'
import { totpRow } from '../../parts/mfa/totp.ts'
import {
  addSigningKey,
  listSigningKeys,
  removeSigningKey,
  type SigningKeyRow,
} from '../../parts/tokens/signing-key-store.ts'
import { isRetired, makeSigningKey, signingKeyRow } from '../../parts/tokens/signing-keys.ts'
import { verifierRow } from '../../parts/users/password.ts'
import * as store from './key-store.ts'
import { lastingKeyRow } from './lasting-keys.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'random' | 'signingKeys'>

export type Keys = {
  /** Makes the next signing keys: published now, in use in an hour. `signsFrom` is an ISO time. */
  rotateSigning: () => Promise<{ kids: string[]; signsFrom: string }>
  /** Re-encrypts everything under an older master key; returns the number of rows. */
  rotateEncryption: () => Promise<number>
  /** Opens all sealed values and returns their number. @throws when one does not open. */
  verifySealed: () => Promise<number>
}

export function createKeys(pool: Ports): Keys {
  return {
    rotateSigning: async () => await rotateSigning(pool),
    rotateEncryption: async () => await rotateEncryption(pool),
    verifySealed: async () => await verifySealed(pool),
  }
}

/** How long a key is published before it signs: longer than verifiers keep the JWKS and processes their keys. */
const PUBLISHED_BEFORE_MS = HOUR_MS

/** How long a key signs before it is rotated automatically. */
const SIGNING_AGE_MS = 90 * DAY_MS

/**
 * Creates the next key pair for id and access tokens. It is published now and signs in an hour. The old one verifies
 * its tokens until they expire, so no user is signed out. There is at most one next key.
 */
async function rotateSigning(pool: Ports): Promise<{ kids: string[]; signsFrom: string }> {
  const rows = await listSigningKeys(pool.database.read)
  const next = await Promise.all(TOKEN_USES.map(async (use) => await nextKey(pool, use, rows)))
  await pool.database.transaction(async (trx) => {
    for (const key of next) await addSigningKey(trx, key)
  })
  await pool.signingKeys.reload()
  const kept = await listSigningKeys(pool.database.read)
  const newest = TOKEN_USES.flatMap((use) => kept.find((row) => row.token_use === use) ?? [])
  return {
    kids: newest.map((row) => row.kid),
    signsFrom:
      newest
        .map((row) => row.signs_from)
        .toSorted()
        .at(-1) ?? '',
  }
}

/** Rotates old keys, removes those without valid tokens, and loads new ones of other processes. */
export async function keepSigningKeys(pool: Ports): Promise<void> {
  const now = pool.clock.now()
  const rows = await listSigningKeys(pool.database.read)
  const [newest] = rows.toSorted((a, b) => startOf(b) - startOf(a))
  if (newest && startOf(newest) <= now.getTime() - SIGNING_AGE_MS) await rotateSigning(pool)
  const retired = TOKEN_USES.flatMap((use) => {
    const ofUse = rows.filter((row) => row.token_use === use)
    return ofUse.filter((_row, index) => isRetired(ofUse[index - 1], now))
  })
  if (retired.length > 0) {
    await pool.database.transaction(async (trx) => {
      for (const { kid } of retired) await removeSigningKey(trx, kid)
    })
  }
  await pool.signingKeys.reload()
}

async function nextKey(
  pool: Pick<Pool, 'clock' | 'id' | 'keyring' | 'random'>,
  use: TokenUse,
  rows: readonly SigningKeyRow[],
): Promise<SigningKeyRow> {
  const now = pool.clock.now()
  const newest = rows.find((row) => row.token_use === use)
  if (newest && newest.signs_from > now.toISOString()) return newest
  const signsFrom = new Date(now.getTime() + PUBLISHED_BEFORE_MS)
  return await makeSigningKey(pool, { use, generation: (newest?.generation ?? 0) + 1, signsFrom })
}

function startOf(row: SigningKeyRow): number {
  return new Date(row.signs_from === '' ? row.created_at : row.signs_from).getTime()
}

const BATCH = 100

/**
 * Re-encrypts everything under an older master key, one batch per transaction, while the pool is in use. Then the older
 * master keys can be removed. Stops early when `signal` aborts.
 * @returns the number of re-encrypted rows
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

/** Sorts before every key id, so that all rows count as sealed under another one. */
const NO_KEY = ''
const ALL = 2 ** 31 - 1

/**
 * Opens all sealed values in the database with the configured master keys. @returns the number of values.
 * @throws when one was altered, or sealed with a master key that is not configured.
 */
async function verifySealed(pool: Pick<Pool, 'database' | 'id' | 'keyring'>): Promise<number> {
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
