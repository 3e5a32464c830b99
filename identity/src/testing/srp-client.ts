import { hkdfSync, randomBytes } from 'node:crypto'

import {
  claimSignature,
  K,
  N,
  pad,
  power,
  powerOfGenerator,
  scramble,
  sha256,
  toGroupBytes,
  toInteger,
} from '../base/srp/srp.ts'
import { poolNameOf } from '../compose.ts'

export type Challenge = { SALT: string; SECRET_BLOCK: string; SRP_B: string; USERNAME: string; USER_ID_FOR_SRP: string }

/** The least of RFC 5054. Clients take up to 128, and then a sign-in takes twice the time. */
const SECRET_BYTES = 32

type SrpClient = { A: string; answer: (challenge: Challenge, password: string) => Record<string, string> }

/** The client side of SRP: its public value, and the answer to the challenge. */
export function srpClient(userPoolId: string): SrpClient {
  return srpClientOf(poolNameOf(userPoolId))
}

/** The same for a given pool name, or for the group key of a device. */
export function srpClientOf(poolName: string): SrpClient {
  const a = randomBytes(SECRET_BYTES)
  const A = toInteger(powerOfGenerator(a))
  return {
    A: A.toString(16),
    answer: (challenge, password) => {
      const B = BigInt(`0x${challenge.SRP_B}`)
      const u = toInteger(scramble(A, B))
      const identity = sha256(Buffer.from(`${poolName}${challenge.USER_ID_FOR_SRP}:${password}`, 'utf8'))
      const x = toInteger(sha256(pad(BigInt(`0x${challenge.SALT}`)), identity))
      const gx = toInteger(powerOfGenerator(toGroupBytes(x)))
      const base = (((B - K * gx) % N) + N) % N
      const S = toInteger(power(toGroupBytes(base), toGroupBytes(toInteger(a) + u * x)))
      const key = Buffer.from(hkdfSync('sha256', pad(S), pad(u), 'Caldera Derived Key', 16))
      const timestamp = 'Fri Nov 20 18:34:15 UTC 2026'
      const claim = { secretBlock: Buffer.from(challenge.SECRET_BLOCK, 'base64'), timestamp }
      const signature = claimSignature(key, { poolName, userId: challenge.USER_ID_FOR_SRP }, claim)
      return {
        USERNAME: challenge.USERNAME,
        PASSWORD_CLAIM_SECRET_BLOCK: challenge.SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: signature.toString('base64'),
        TIMESTAMP: timestamp,
      }
    },
  }
}
