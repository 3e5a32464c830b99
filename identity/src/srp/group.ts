import { createHash, DiffieHellman, getDiffieHellman } from 'node:crypto'

/** Bytes of the modulus, of every verifier and of every public value. */
export const GROUP_BYTES = 384

const group = getDiffieHellman('modp15')

/** The 3072-bit prime of RFC 3526 group 15 (identity.md 3.1). */
export const N = toInteger(group.getPrime())

// oxlint-disable-next-line typescript/unbound-method -- borrowed on purpose, see `power`
const setPrivateKey: (this: unknown, key: Uint8Array) => void = DiffieHellman.prototype.setPrivateKey

const GENERATOR = toGroupBytes(2n)

/** The multiplier k = H(PAD(N) ‖ PAD(g)). */
export const K = toInteger(sha256(pad(N), pad(2n)))

/**
 * base^exponent mod N in constant time, by OpenSSL. It refuses the bases 0, 1, N−1, N and above, so a caller who is
 * handed one treats the failure as a wrong answer.
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
