import { makeSigningKey } from '../tokens/make-signing-key.ts'
import { addSigningKey, listSigningKeys, removeSigningKey, type SigningKeyRow } from '../tokens/signing-key-store.ts'
import { isRetired } from '../tokens/signing-keys.ts'
import { type Pool, TOKEN_USES, type TokenUse } from '../base/ports.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'random' | 'signingKeys'>

const DAY_MS = 24 * 3600_000

/** How long a key is published before it signs: longer than verifiers keep the JWKS and processes their keys. */
const PUBLISHED_BEFORE_MS = 3600_000

/** How long a key signs before the next one is made by itself. */
const SIGNING_AGE_MS = 90 * DAY_MS

/**
 * Makes the next key pair for id and for access tokens. It is published now and signs in an hour; the old one goes on
 * proving its tokens until they have expired, so nobody is signed out. While a next key waits, no other is made.
 */
export async function rotateSigning(pool: Ports): Promise<{ kids: string[]; signsFrom: string }> {
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

/** Rotates when the keys are old enough, removes those of which no token is left, and hears of others' new ones. */
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
