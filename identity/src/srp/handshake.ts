import { createHmac, hkdfSync } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'

import type { Random } from '@marquee/platform/runtime/random'

import { K, N, pad, power, powerOfGenerator, sha256, toGroupBytes, toInteger } from './group.ts'
import type { PasswordOwner } from './verifier.ts'

const SECRET_BYTES = 32
const PUBLIC_VALUE = /^[0-9a-f]{1,770}$/iu

/** What the server must remember between its two steps: A (384 bytes), its secret b, and u (32 bytes). */
export type Handshake = { A: Buffer; b: Buffer; u: Buffer }

/**
 * Reads a client's SRP_A. Nothing but an integer from 2 to N − 2 will do: every honest client's is one, and the others
 * would make the shared secret known (identity.md 3.3).
 */
export function readPublicValue(hex: string): bigint | undefined {
  if (!PUBLIC_VALUE.test(hex)) return undefined
  const value = BigInt(`0x${hex}`)
  return value > 1n && value < N - 1n ? value : undefined
}

/** The server's first step: B for the client as minimal hex, and what to keep for the second step. */
export function startHandshake(A: bigint, verifier: Uint8Array, random: Random): { B: string; handshake: Handshake } {
  for (;;) {
    const b = random.bytes(SECRET_BYTES)
    const B = publicValue(verifier, b)
    if (B !== 0n) return { B: B.toString(16), handshake: { A: toGroupBytes(A), b, u: scramble(A, B) } }
  }
}

/** B = (k·v + g^b) mod N. */
export function publicValue(verifier: Uint8Array, b: Uint8Array): bigint {
  return (K * toInteger(verifier) + toInteger(powerOfGenerator(b))) % N
}

/** u = H(PAD(A) ‖ PAD(B)), 32 bytes. */
export function scramble(A: bigint, B: bigint): Buffer {
  return sha256(pad(A), pad(B))
}

/**
 * The 16-byte key both sides arrive at (identity.md 3.4, 3.5), or undefined where OpenSSL refuses the numbers. Others
 * have their turn before each of its two powers: neither holds them up for longer than it takes by itself.
 */
export async function sessionKey({ A, b, u }: Handshake, verifier: Uint8Array): Promise<Buffer | undefined> {
  try {
    await othersFirst()
    const base = (toInteger(A) * toInteger(power(verifier, u))) % N
    await othersFirst()
    const secret = power(toGroupBytes(base), b)
    const key = hkdfSync('sha256', pad(toInteger(secret)), pad(toInteger(u)), 'Caldera Derived Key', 16)
    return Buffer.from(key)
  } catch {
    return undefined
  }
}

/** The PASSWORD_CLAIM_SIGNATURE a client that knows the password sends, 32 bytes. */
export function claimSignature(
  key: Uint8Array,
  owner: PasswordOwner,
  claim: { secretBlock: Uint8Array; timestamp: string },
): Buffer {
  return createHmac('sha256', key)
    .update(owner.poolName, 'utf8')
    .update(owner.userId, 'utf8')
    .update(claim.secretBlock)
    .update(claim.timestamp, 'utf8')
    .digest()
}
