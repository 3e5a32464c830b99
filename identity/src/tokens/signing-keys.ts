import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

import type { JWK } from 'jose'

import type { Pool } from '../pool/pool.ts'
import { openFromRow, sealForRow } from '../sealed/sealed-row.ts'
import { addSigningKey, listSigningKeys, type SigningKeyRow } from './signing-key-store.ts'

const MODULUS_BITS = 2048
const FIRST_GENERATION = 1

export type TokenUse = 'id' | 'access'

/** One key pair for id tokens and one for access tokens, so that neither can be taken for the other. */
export type SigningKeys = {
  /** What the JWKS document publishes. */
  readonly published: readonly JWK[]
  /** What signs new tokens of that use. */
  signer: (use: TokenUse) => { kid: string; privateKey: KeyObject }
  /** The public keys that tokens of that use may be signed with. */
  verifiers: (use: TokenUse) => readonly JWK[]
}

type Ports = Pick<Pool, 'database' | 'keyring' | 'random' | 'clock' | 'id'>

/** Reads the pool's keys, making them (RSA 2048, private parts encrypted) if this is the first start. */
export async function openSigningKeys(ports: Ports): Promise<SigningKeys> {
  const known = await listSigningKeys(ports.database.read)
  const missing = (['id', 'access'] as const).filter((use) => !known.some((key) => key.token_use === use))
  const made = await Promise.all(missing.map(async (use) => await makeKey(ports, use)))
  const rows = await ports.database.transaction(async (trx) => {
    for (const key of made) await addSigningKey(trx, key)
    return await listSigningKeys(trx)
  })
  return readKeys(ports, rows)
}

async function makeKey(ports: Ports, use: TokenUse): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
  const kid = ports.random.bytes(32).toString('base64url')
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' })
  const sealed = sealForRow(ports, 'signing-key', rowName(ports.id, use, kid), secret)
  return {
    token_use: use,
    generation: FIRST_GENERATION,
    kid,
    public_jwk: JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }),
    private_box: sealed.box,
    key_id: sealed.keyId,
    created_at: ports.clock.now().toISOString(),
  }
}

function readKeys({ keyring, id }: Ports, rows: SigningKeyRow[]): SigningKeys {
  const jwkOf = (row: SigningKeyRow) => JSON.parse(row.public_jwk) as JWK
  const rowsOf = (use: TokenUse) => rows.filter((row) => row.token_use === use)
  const signerOf = (use: TokenUse) => {
    const [newest] = rowsOf(use)
    if (!newest) throw new Error(`There is no key for ${use} tokens`)
    const column = { box: newest.private_box, keyId: newest.key_id }
    const der = openFromRow(keyring, 'signing-key', rowName(id, use, newest.kid), column)
    return { kid: newest.kid, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
  }
  const signers = { id: signerOf('id'), access: signerOf('access') }
  const verifiers = { id: rowsOf('id').map(jwkOf), access: rowsOf('access').map(jwkOf) }
  return {
    published: rows.map(jwkOf),
    signer: (use) => signers[use],
    verifiers: (use) => verifiers[use],
  }
}

function rowName(poolId: string, use: TokenUse, kid: string): string {
  return `${poolId}|${use}|${kid}`
}
