import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

import { sealForRow } from '../sealed/sealed-row.ts'
import type { SigningKeyRow } from './signing-key-store.ts'
import type { Pool } from '../base/ports.ts'

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

/** What the box of a private key is bound to. */
export function signingKeyRow(poolId: string, use: string, kid: string): string {
  return `${poolId}|${use}|${kid}`
}
