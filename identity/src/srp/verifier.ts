import type { Random } from '@marquee/platform/runtime/random'

import { pad, powerOfGenerator, sha256, toInteger } from './group.ts'

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

/** v = g^x mod N of a password as typed, 384 bytes (identity.md 3.2). */
export function verifierOf(owner: PasswordOwner, password: string, salt: Uint8Array): Buffer {
  const inner = sha256(Buffer.from(`${owner.poolName}${owner.userId}:${password}`, 'utf8'))
  return powerOfGenerator(sha256(pad(toInteger(salt)), inner))
}
