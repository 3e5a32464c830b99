import { HOUR_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import type { AttemptKind } from '../events/event-kinds.ts'

import { recordAttempt } from '../audit/record-event.ts'
import { type CognitoError, refusals } from '../errors/refusals.ts'
import type { AttemptPorts, Pool } from '../ports.ts'
import type { Db } from '../tables.ts'
import {
  clearFailures,
  countFailure,
  FAILURE_SUFFIXES,
  findLockout,
  lockAttempts,
  lockUntil,
  setAttempts,
} from './limit-store.ts'

const FREE_FAILURES = 5
const MEMORY_MS = 15 * MINUTE_MS

/** Whether a lock is active. Checked before any arithmetic. */
export async function isLockedOut(pool: Pick<Pool, 'clock' | 'database'>, sub: string): Promise<boolean> {
  const lockout = await findLockout(pool.database.read, { sub })
  return lockout !== undefined && lockout.locked_until > pool.clock.now().toISOString()
}

/**
 * Counts a wrong password and returns the refusal. From the fifth on the user is locked for 2^(n−5) seconds, at most 15
 * minutes. Attempts during a lock are rejected without a check, and 15 minutes without a failure clear the count.
 */
export async function failPassword(pool: AttemptPorts, trx: Db, sub: string): Promise<CognitoError> {
  return await fail(pool, trx, { sub, key: sub, kind: 'wrong-password' }, refusals.incorrectPassword())
}

/**
 * Failures that are counted separately from passwords: second factors, first-factor codes (guessing those must not lock
 * the second factor of the real user), and answers to custom challenges.
 */
export type FailureCounter = { sub: string; of: keyof typeof FAILURE_SUFFIXES }

/**
 * Counts a wrong second factor. The count is separate, because a user who gets this far has just cleared the password
 * count and could otherwise guess for ever.
 */
export async function failMfa(
  pool: AttemptPorts,
  trx: Db,
  counter: FailureCounter,
  refusal: CognitoError,
): Promise<CognitoError> {
  const kind = counter.of === 'custom' ? 'wrong-answer' : 'wrong-code'
  return await fail(pool, trx, { sub: counter.sub, key: keyOf(counter), kind }, refusal)
}

async function fail(
  pool: AttemptPorts,
  trx: Db,
  { sub, key, kind }: { sub: string; key: string; kind: AttemptKind },
  refusal: CognitoError,
): Promise<CognitoError> {
  const now = pool.clock.now().getTime()
  const failures = await countFailure(trx, key, { now: iso(now), forgottenBefore: iso(now - MEMORY_MS) })
  if (failures === undefined) return refusals.lockedOut()
  // Unknown names too, so that timing does not reveal accounts.
  await recordAttempt(pool, trx, sub, kind)
  if (failures >= FREE_FAILURES) {
    const lock = Math.min(1000 * 2 ** (failures - FREE_FAILURES), MEMORY_MS)
    await lockUntil(trx, key, iso(now + lock))
    if (failures === FREE_FAILURES) await recordAttempt(pool, trx, sub, 'locked-out')
  }
  return refusal
}

/** Clears the failures after the right password; returns the refusal if a lock began in the meantime. */
export async function passPassword(pool: Pick<Pool, 'clock'>, trx: Db, sub: string): Promise<CognitoError | undefined> {
  const cleared = await clearFailures(trx, sub, pool.clock.now().toISOString())
  return cleared ? undefined : refusals.lockedOut()
}

/** The refusal if too many second factors were wrong. Checked before looking at one. */
export async function refuseLockedMfa(
  pool: Pick<Pool, 'clock'>,
  trx: Db,
  counter: FailureCounter,
): Promise<CognitoError | undefined> {
  const lockout = await findLockout(trx, { sub: keyOf(counter) })
  return lockout && lockout.locked_until > iso(pool.clock.now().getTime()) ? refusals.lockedOut() : undefined
}

/** Clears the failures after the right second factor; returns the refusal if a lock began in the meantime. */
export async function passMfa(
  pool: Pick<Pool, 'clock'>,
  trx: Db,
  counter: FailureCounter,
): Promise<CognitoError | undefined> {
  const cleared = await clearFailures(trx, keyOf(counter), iso(pool.clock.now().getTime()))
  return cleared ? undefined : refusals.lockedOut()
}

function keyOf({ sub, of }: FailureCounter): string {
  return `${sub}${FAILURE_SUFFIXES[of]}`
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

/** Attempts per user in any 60 minutes. */
const PER_HOUR = {
  AssociateSoftwareToken: 15,
  ChangePassword: 5,
  ConfirmForgotPassword: 10,
  ConfirmSignUp: 15,
  FirstFactorCode: 10,
  ForgotPassword: 5,
  GetUserAttributeVerificationCode: 5,
  ResendConfirmationCode: 5,
  SignInCode: 15,
  StartWebAuthnRegistration: 15,
  UpdateUserAttributes: 10,
  VerifySoftwareToken: 15,
  VerifyUserAttribute: 15,
} as const

/** Operations for which Amazon's model has no LimitExceededException. */
const WITHOUT_LIMIT_EXCEEDED: ReadonlySet<keyof typeof PER_HOUR> = new Set([
  'AssociateSoftwareToken',
  'FirstFactorCode',
  'SignInCode',
  'UpdateUserAttributes',
  'VerifySoftwareToken',
])

/**
 * Counts an attempt, or returns the refusal when the quota of the hour is used up. Refused attempts do not count:
 * Amplify repeats each refusal twice and would never recover.
 */
export async function spendQuota(
  pool: Pick<Pool, 'clock'>,
  trx: Db,
  operation: keyof typeof PER_HOUR,
  sub: string,
): Promise<CognitoError | undefined> {
  const now = pool.clock.now()
  const key = { sub, operation }
  const kept = await lockAttempts(trx, key, now.toISOString())
  const recent = kept.filter((at) => at > now.getTime() - HOUR_MS)
  if (recent.length >= PER_HOUR[operation]) {
    return WITHOUT_LIMIT_EXCEEDED.has(operation) ? refusals.tooManyAttempts() : refusals.attemptLimit()
  }
  await setAttempts(trx, key, { recent: [...recent, now.getTime()], now: now.toISOString() })
  return undefined
}

/** Whether the attempt that was just counted is the only one of the hour. */
export async function isOnlyAttempt(
  pool: Pick<Pool, 'clock'>,
  trx: Db,
  operation: keyof typeof PER_HOUR,
  sub: string,
): Promise<boolean> {
  const now = pool.clock.now()
  const kept = await lockAttempts(trx, { sub, operation }, now.toISOString())
  return kept.filter((at) => at > now.getTime() - HOUR_MS).length <= 1
}
