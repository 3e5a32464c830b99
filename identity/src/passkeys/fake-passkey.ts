import { createECDH } from 'node:crypto'

import type { PasskeyRow } from '../tables.ts'
import { fakeBytes } from '../users/fake-user.ts'
import type { Pool } from '../base/ports.ts'

const ID_BYTES = 20
/** CBOR of an ES256 key up to its two coordinates. */
const KEY_START = Buffer.from('a5010203262001215820', 'hex')
const KEY_MIDDLE = Buffer.from('225820', 'hex')

/**
 * A passkey that an unknown name seems to have, the same every time, whose private key nobody keeps: what is signed is
 * checked against it as against a real one.
 */
export function fakePasskey(pool: Pick<Pool, 'id' | 'keyring'>, sub: string): PasskeyRow {
  const curve = createECDH('prime256v1')
  const secret = fakeBytes(pool, 'passkey', sub)
  // Any number below the order of the group will do, and the top byte makes it one.
  secret[0] = 1
  curve.setPrivateKey(secret)
  const point = curve.getPublicKey()
  return {
    sub,
    credential_id: fakeBytes(pool, 'passkey id', sub).subarray(0, ID_BYTES).toString('base64url'),
    public_key: Buffer.concat([KEY_START, point.subarray(1, 33), KEY_MIDDLE, point.subarray(33)]),
    counter: 0,
    name: '',
    rp_id: '',
    attachment: null,
    transports: 'hybrid,internal',
    created_at: '',
    used_at: null,
  }
}
