import { timingSafeEqual } from 'node:crypto'

import { fakePassword } from '../../base/decoys.ts'
import { CognitoError } from '../../base/errors/refusals.ts'
import type { Pool } from '../../base/ports.ts'
import { openFromRow, sealForRow } from '../../base/keys/keyring.ts'
import { newSalt, sha256, verifierOf } from '../../base/srp/srp.ts'
import type { UserRow } from '../../base/tables.ts'

const FINGERPRINT_BYTES = 8

/** The stored columns for a password: a salt and the encrypted SRP verifier, never the password. */
export type PasswordColumns = Pick<UserRow, 'salt' | 'verifier_box' | 'key_id'>

/** Makes the columns for a new password, with a new salt. */
export function passwordColumns(
  pool: Pick<Pool, 'id' | 'keyring' | 'name' | 'random'>,
  sub: string,
  password: string,
): PasswordColumns {
  const salt = newSalt(pool.random)
  const verifier = verifierOf({ poolName: pool.name, userId: sub }, password, salt)
  const sealed = sealForRow(pool, 'srp-verifier', verifierRow(pool, sub, salt), verifier)
  return { salt, verifier_box: sealed.box, key_id: sealed.keyId }
}

/** The user's SRP verifier, 384 bytes. */
function openVerifier(pool: Pick<Pool, 'id' | 'keyring'>, user: PasswordColumns & { sub: string }): Buffer {
  const column = { box: user.verifier_box, keyId: user.key_id }
  return openFromRow(pool.keyring, 'srp-verifier', verifierRow(pool, user.sub, user.salt), column)
}

/**
 * The salt and verifier that a password is checked against: those of the user, or the decoy of an unknown name. Both
 * take the same time.
 */
export function passwordSecretOf(
  pool: Pick<Pool, 'id' | 'keyring'>,
  sub: string,
  user: PasswordColumns | undefined,
): { salt: Uint8Array; verifier: Buffer } {
  return user ? { salt: user.salt, verifier: openVerifier(pool, { ...user, sub }) } : fakePassword(pool, sub)
}

/** Whether this is the user's password. Takes the same time for an unknown name, which has no password. */
export function isPasswordOf(
  pool: Pick<Pool, 'id' | 'keyring' | 'name'>,
  { sub, user }: { sub: string; user: PasswordColumns | undefined },
  password: string,
): boolean {
  const { salt, verifier } = passwordSecretOf(pool, sub, user)
  const given = verifierOf({ poolName: pool.name, userId: sub }, password, salt)
  return timingSafeEqual(given, verifier) && user !== undefined
}

/** Binds state that a client carries to the password: it changes with the password. */
export function fingerprintOf(salt: Uint8Array): string {
  return sha256(salt).subarray(0, FINGERPRINT_BYTES).toString('hex')
}

/** The row name that the box of a verifier is bound to. */
export function verifierRow(pool: Pick<Pool, 'id'>, sub: string, salt: Uint8Array): string {
  return `${pool.id}|${sub}|${Buffer.from(salt).toString('hex')}`
}

const MIN_LENGTH = 8

/**
 * The password policy: 8 characters, an uppercase letter, a digit. Names one violation, in Cognito's order and words.
 */
export function checkPasswordPolicy(password: string): void {
  const clause = brokenClause(password)
  if (clause === undefined) return
  throw new CognitoError('InvalidPasswordException', `Password did not conform with policy: ${clause}`)
}

function brokenClause(password: string): string | undefined {
  if (password.length < MIN_LENGTH) return 'Password not long enough'
  if (!/\p{Lu}/u.test(password)) return 'Password must have uppercase characters'
  if (!/\d/u.test(password)) return 'Password must have numeric characters'
  return undefined
}
