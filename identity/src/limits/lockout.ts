import type { Pool } from '../pool/pool.ts'
import type { Db } from '../tables.ts'
import type { CognitoError } from '../wire/cognito-error.ts'
import { refusals } from '../wire/refusals.ts'
import { clearFailures, countFailure, findLockout, lockUntil } from './lockout-store.ts'

const FREE_FAILURES = 5
const MEMORY_MS = 15 * 60_000

/** Before any arithmetic: does the lock hold? (identity.md 6.2) */
export async function isLockedOut(pool: Pool, sub: string): Promise<boolean> {
  const lockout = await findLockout(pool.database.read, sub)
  return lockout !== undefined && lockout.locked_until > pool.clock.now().toISOString()
}

/**
 * Counts a wrong password and gives the refusal for it. From the fifth on the user is locked for 2^(n−5) seconds, at
 * most 15 minutes; attempts meanwhile are refused without being looked at, and 15 minutes of peace forget everything.
 */
export async function failPassword(pool: Pool, trx: Db, sub: string): Promise<CognitoError> {
  const now = pool.clock.now().getTime()
  const failures = await countFailure(trx, sub, { now: iso(now), forgottenBefore: iso(now - MEMORY_MS) })
  if (failures === undefined) return refusals.lockedOut()
  if (failures >= FREE_FAILURES) {
    const lock = Math.min(1000 * 2 ** (failures - FREE_FAILURES), MEMORY_MS)
    await lockUntil(trx, sub, iso(now + lock))
  }
  return refusals.incorrectPassword()
}

/** Wipes the slate after the right password, or gives the refusal if a lock has come in between. */
export async function passPassword(pool: Pool, trx: Db, sub: string): Promise<CognitoError | undefined> {
  const cleared = await clearFailures(trx, sub, pool.clock.now().toISOString())
  return cleared ? undefined : refusals.lockedOut()
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
