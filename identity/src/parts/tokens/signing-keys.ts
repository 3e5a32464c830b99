import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

import { createLocalJWKSet, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose'

import { DAY_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import { type Pool, type SigningKeys, TOKEN_USES, type TokenUse } from '../../base/ports.ts'
import { openFromRow, sealForRow } from '../../base/keys/keyring.ts'
import { addSigningKey, listSigningKeys, type SigningKeyRow } from './signing-key-store.ts'

/** How long id and access tokens live. */
export const TOKEN_LIFETIME_SECONDS = 3600

/** How long a session can be refreshed; a rotated refresh token gets the rest of this time. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS

/** How long an old key still verifies tokens after it was replaced: the life of a token, and clocks differ. */
const OVERLAP_MS = TOKEN_LIFETIME_SECONDS * 1000 + 10 * MINUTE_MS

/** Forged tokens name unknown keys too, and must not cause a read of the database each time. */
const RELOAD_AFTER_MS = 10_000

type Key = { row: SigningKeyRow; jwk: JWK; privateKey: KeyObject }
type KeysOfUse = { keys: readonly Key[]; verifier: JWTVerifyGetKey }

/** Reads the keys of the pool; makes them (RSA 2048, private parts encrypted) at the first start. */
export async function openSigningKeys(
  ports: Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'random'>,
): Promise<SigningKeys> {
  const { clock, database } = ports
  const known = await listSigningKeys(database.read)
  const missing = TOKEN_USES.filter((use) => !known.some((key) => key.token_use === use))
  const first = { generation: 1, signsFrom: clock.now() }
  const made = await Promise.all(missing.map(async (use) => await makeSigningKey(ports, { use, ...first })))
  const rows = await database.transaction(async (trx) => {
    for (const key of made) await addSigningKey(trx, key)
    return await listSigningKeys(trx)
  })
  let keys = readKeys(ports, rows)
  let readAt = clock.now().getTime()
  const reload = async () => {
    readAt = clock.now().getTime()
    keys = readKeys(ports, await listSigningKeys(database.read))
  }
  const signerOf = (use: TokenUse) => {
    const now = clock.now().toISOString()
    const key = keys[use].keys.find(({ row }) => row.signs_from <= now) ?? keys[use].keys.at(-1)
    if (!key) throw new Error(`There is no key for ${use} tokens`)
    return { kid: key.row.kid, privateKey: key.privateKey }
  }
  return {
    published: () => TOKEN_USES.flatMap((use) => keys[use].keys.map(({ jwk }) => jwk)),
    signer: signerOf,
    verifier: (use) => keys[use].verifier,
    reload,
    reloadIfOld: async () => {
      if (clock.now().getTime() - readAt < RELOAD_AFTER_MS) return false
      await reload()
      return true
    },
  }
}

/** The generations that were replaced so long ago that all their tokens have expired. */
export function isRetired(next: Pick<SigningKeyRow, 'signs_from'> | undefined, now: Date): boolean {
  return next !== undefined && next.signs_from <= new Date(now.getTime() - OVERLAP_MS).toISOString()
}

function readKeys(ports: Pick<Pool, 'clock' | 'id' | 'keyring'>, rows: SigningKeyRow[]): Record<TokenUse, KeysOfUse> {
  const now = ports.clock.now()
  const read = (use: TokenUse): KeysOfUse => {
    const ofUse = rows.filter((row) => row.token_use === use)
    const live = ofUse.filter((_row, index) => !isRetired(ofUse[index - 1], now))
    const keys = live.map((row) => ({
      row,
      jwk: JSON.parse(row.public_jwk) as JWK,
      privateKey: openPrivateKey(ports, use, row),
    }))
    const verifier = createLocalJWKSet({ keys: keys.map(({ jwk }) => jwk) } as JSONWebKeySet)
    return { keys, verifier }
  }
  return { id: read('id'), access: read('access') }
}

function openPrivateKey({ keyring, id }: Pick<Pool, 'id' | 'keyring'>, use: TokenUse, row: SigningKeyRow): KeyObject {
  const column = { box: row.private_box, keyId: row.key_id }
  const key = openFromRow(keyring, 'signing-key', signingKeyRow(id, use, row.kid), column)
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

const MODULUS_BITS = 2048

/** A new RSA key pair as its row, the private part encrypted. */
export async function makeSigningKey(
  ports: Pick<Pool, 'clock' | 'id' | 'keyring' | 'random'>,
  { use, generation, signsFrom }: { use: string; generation: number; signsFrom: Date },
): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
  const kid = ports.random.bytes(32).toString('base64url')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' })
  const sealed = sealForRow(ports, 'signing-key', signingKeyRow(ports.id, use, kid), secret)
  return {
    token_use: use,
    generation,
    kid,
    public_jwk: JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }),
    private_box: sealed.box,
    key_id: sealed.keyId,
    created_at: ports.clock.now().toISOString(),
    signs_from: signsFrom.toISOString(),
  }
}

/** The row name that the box of a private key is bound to. */
export function signingKeyRow(poolId: string, use: string, kid: string): string {
  return `${poolId}|${use}|${kid}`
}
