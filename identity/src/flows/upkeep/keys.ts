import { DAY_MS, HOUR_MS } from '@marquee/platform/runtime/durations'

import { type Pool, TOKEN_USES, type TokenUse } from '../../base/ports.ts'
import { type KeyPurpose, openFromRow, type SealedColumn, sealForRow } from '../../base/keys/keyring.ts'
import type { Db, IdentityTables } from '../../base/tables.ts'
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
import { listStale, replaceBox, type SealedPlace, type SealedRow } from './key-store.ts'
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

async function resealBatch(pool: SealingPorts, trx: Db): Promise<number> {
  let count = 0
  for (const place of SEALED) {
    const rows = await listStale(trx, place, { keyId: pool.keyring.currentId, limit: BATCH })
    for (const row of rows) {
      const sealed = sealForRow(pool, place.purpose, place.nameOf(pool, row), openRow(pool, place, row))
      await replaceBox(trx, place, row, sealed)
    }
    count += rows.length
  }
  return count
}

/** Sorts before every key id, so that all rows count as sealed under another one. */
const NO_KEY = ''
const ALL = 2 ** 31 - 1

/**
 * Opens all sealed values in the database with the configured master keys. @returns the number of values.
 * @throws when one was altered, or sealed with a master key that is not configured.
 */
async function verifySealed(pool: OpeningPorts & Pick<Pool, 'database'>): Promise<number> {
  let count = 0
  for (const place of SEALED) {
    const rows = await listStale(pool.database.read, place, { keyId: NO_KEY, limit: ALL })
    for (const row of rows) openRow(pool, place, row)
    count += rows.length
  }
  return count
}

type OpeningPorts = Pick<Pool, 'id' | 'keyring'>
type SealingPorts = OpeningPorts & Pick<Pool, 'random'>

function openRow(pool: OpeningPorts, { column, purpose, nameOf }: SealedKind, row: SealedRow): Buffer {
  const value = { box: row[column], keyId: row['key_id'] } as SealedColumn
  return openFromRow(pool.keyring, purpose, nameOf(pool, row), value)
}

/** An encrypted column. `nameOf` gives the name of a row, which its value is bound to. */
type SealedKind<Row = SealedRow> = SealedPlace & {
  readonly purpose: KeyPurpose
  readonly nameOf: (pool: OpeningPorts, row: Row) => string
}

function sealedKind<Table extends keyof IdentityTables, Name extends keyof IdentityTables[Table] & string>(
  table: Table,
  place: Omit<SealedKind<Pick<IdentityTables[Table], Name>>, 'table'> & {
    readonly column: keyof IdentityTables[Table]
    readonly names: readonly Name[]
  },
): SealedKind {
  return { table, ...place } as unknown as SealedKind
}

/** Every encrypted column of the user pool. */
const SEALED = [
  sealedKind('identity_user', {
    column: 'verifier_box',
    names: ['sub', 'salt'],
    purpose: 'srp-verifier',
    nameOf: (pool, { sub, salt }) => verifierRow(pool, sub, salt),
  }),
  sealedKind('identity_totp', {
    column: 'secret_box',
    names: ['sub', 'state'],
    purpose: 'totp',
    nameOf: (pool, { sub }) => totpRow(pool, sub),
  }),
  sealedKind('identity_device', {
    column: 'verifier_box',
    names: ['sub', 'device_key', 'salt'],
    purpose: 'device-verifier',
    nameOf: deviceVerifierRow,
  }),
  sealedKind('identity_signing_key', {
    column: 'private_box',
    names: ['token_use', 'kid'],
    purpose: 'signing-key',
    nameOf: ({ id }, { token_use: use, kid }) => signingKeyRow(id, use, kid),
  }),
  sealedKind('identity_lasting_key', {
    column: 'box',
    names: ['purpose'],
    purpose: 'lasting-key',
    nameOf: ({ id }, { purpose }) => lastingKeyRow(id, purpose),
  }),
]

/** Their names, as `table.column`. */
export const SEALED_COLUMNS: readonly string[] = SEALED.map(({ table, column }) => `${table}.${column}`)
