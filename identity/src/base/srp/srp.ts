import { createHash, createHmac, DiffieHellman, getDiffieHellman, hkdfSync } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'

import type { Random } from '@marquee/platform/runtime/random'

/** Bytes of the modulus, of every verifier and of every public value. */
export const GROUP_BYTES = 384

const group = getDiffieHellman('modp15')

/** The 3072-bit prime of RFC 3526 group 15. */
export const N = toInteger(group.getPrime())

// oxlint-disable-next-line typescript/unbound-method -- borrowed on purpose, see `power`
const setPrivateKey: (this: unknown, key: Uint8Array) => void = DiffieHellman.prototype.setPrivateKey

const GENERATOR = toGroupBytes(2n)

/** The multiplier k = H(PAD(N) ‖ PAD(g)). */
export const K = toInteger(sha256(pad(N), pad(2n)))

/**
 * base^exponent mod N in constant time, by OpenSSL. It rejects the bases 0, 1, N−1, N and above; callers treat that as
 * a wrong answer.
 *
 * Node lets only `createDiffieHellman` objects take a private key, and making one of those tests the prime for more
 * than a second. The named group needs no test and holds the same handle, so it borrows the method.
 */
export function power(base: Uint8Array, exponent: Uint8Array): Buffer {
  setPrivateKey.call(group, exponent)
  return group.computeSecret(base)
}

/** g^exponent mod N, 384 bytes. */
export function powerOfGenerator(exponent: Uint8Array): Buffer {
  return power(GENERATOR, exponent)
}

/** Shortest big-endian two's complement of a non-negative integer: a zero byte in front when the top bit is set. */
export function pad(value: bigint): Buffer {
  const hex = value.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  return Buffer.from(/^[89a-f]/u.test(even) ? `00${even}` : even, 'hex')
}

export function toInteger(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return BigInt(`0x${hex === '' ? '0' : hex}`)
}

export function toGroupBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(GROUP_BYTES * 2, '0'), 'hex')
}

export function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const SALT_BYTES = 16

export type PasswordOwner = {
  /** The part of the user pool id after the underscore; for devices the device group key. */
  poolName: string
  /** What clients get as USER_ID_FOR_SRP; for devices the device key. */
  userId: string
}

/** 16 random bytes of which the first is not zero, so that hex, integer and byte forms agree in every client. */
export function newSalt(random: Random): Buffer {
  return withoutLeadingZero(random.bytes(SALT_BYTES))
}

/** Turns a first byte of zero into one, in a copy. */
export function withoutLeadingZero(salt: Uint8Array): Buffer {
  const copy = Buffer.from(salt)
  if (copy[0] === 0) copy[0] = 1
  return copy
}

/** The salt as clients get it: minimal lower-case hex, so of odd length when its first digit is zero. */
export function saltHex(salt: Uint8Array): string {
  return toInteger(salt).toString(16)
}

/** v = g^x mod N of a password as typed, 384 bytes. */
export function verifierOf(owner: PasswordOwner, password: string, salt: Uint8Array): Buffer {
  const inner = sha256(Buffer.from(`${owner.poolName}${owner.userId}:${password}`, 'utf8'))
  return powerOfGenerator(sha256(pad(toInteger(salt)), inner))
}

const SECRET_BYTES = 32
const PUBLIC_VALUE = /^[0-9a-f]{1,770}$/iu

/** What the server must remember between its two steps: A (384 bytes), its secret b, and u (32 bytes). */
export type Handshake = { A: Buffer; b: Buffer; u: Buffer }

/**
 * Reads a client's SRP_A, an integer from 2 to N − 2. Other values would reveal the shared secret, and no honest client
 * sends one.
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
 * The 16-byte key of both sides, or undefined where OpenSSL refuses the numbers. Yields before each modular
 * exponentiation, so that other requests are not delayed.
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
