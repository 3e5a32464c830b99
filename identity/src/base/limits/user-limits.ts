import type { AttemptKind } from '../audit/event-kinds.ts'

import { recordAttempt } from '../audit/record-event.ts'
import { type CognitoError, refusals } from '../errors/refusals.ts'
import type { AttemptPorts, Pool } from '../ports.ts'
import type { Db } from '../tables.ts'
import { clearFailures, countFailure, findLockout, holdAttempts, lockUntil, setAttempts } from './limit-store.ts'

const FREE_FAILURES = 5
const MEMORY_MS = 15 * 60_000

/** Before any arithmetic: does the lock hold? (identity.md 6.2) */
export async function isLockedOut(pool: Pick<Pool, 'clock' | 'database'>, sub: string): Promise<boolean> {
  const lockout = await findLockout(pool.database.read, sub)
  return lockout !== undefined && lockout.locked_until > pool.clock.now().toISOString()
}

/**
 * Counts a wrong password and gives the refusal for it. From the fifth on the user is locked for 2^(n−5) seconds, at
 * most 15 minutes; attempts meanwhile are refused without being looked at, and 15 minutes of peace forget everything.
 */
export async function failPassword(pool: AttemptPorts, trx: Db, sub: string): Promise<CognitoError> {
  return await fail(pool, trx, { sub, key: sub, kind: 'wrong-password' }, refusals.incorrectPassword())
}

/**
 * What is counted apart: second factors, first codes (or whoever guesses at those would lock the second factor of who
 * knows the password), and the answers to a plug-in's challenges.
 */
const SLATES = {
  mfa: { suffix: '|mfa', kind: 'wrong-code' },
  first: { suffix: '|first|mfa', kind: 'wrong-code' },
  custom: { suffix: '|custom|mfa', kind: 'wrong-answer' },
} as const

export type Slate = { sub: string; of: keyof typeof SLATES }

/**
 * The same for a wrong second factor. It is counted apart, since who gets that far has just wiped the slate of the
 * password and could otherwise guess for ever.
 */
export async function failMfa(pool: AttemptPorts, trx: Db, slate: Slate, refusal: CognitoError): Promise<CognitoError> {
  const { kind } = SLATES[slate.of]
  return await fail(pool, trx, { sub: slate.sub, key: keyOf(slate), kind }, refusal)
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
  // Of a name that is nobody's too: whoever guesses cannot tell by the time it takes.
  await recordAttempt(pool, trx, sub, kind)
  if (failures >= FREE_FAILURES) {
    const lock = Math.min(1000 * 2 ** (failures - FREE_FAILURES), MEMORY_MS)
    await lockUntil(trx, key, iso(now + lock))
    if (failures === FREE_FAILURES) await recordAttempt(pool, trx, sub, 'locked-out')
  }
  return refusal
}

/** Wipes the slate after the right password, or gives the refusal if a lock has come in between. */
export async function passPassword(pool: Pick<Pool, 'clock'>, trx: Db, sub: string): Promise<CognitoError | undefined> {
  const cleared = await clearFailures(trx, sub, pool.clock.now().toISOString())
  return cleared ? undefined : refusals.lockedOut()
}

/** Before a second factor is looked at: the refusal if too many were wrong. */
export async function refuseLockedMfa(
  pool: Pick<Pool, 'clock'>,
  trx: Db,
  slate: Slate,
): Promise<CognitoError | undefined> {
  const lockout = await findLockout(trx, keyOf(slate))
  return lockout && lockout.locked_until > iso(pool.clock.now().getTime()) ? refusals.lockedOut() : undefined
}

/** Wipes the slate after the right second factor. */
export async function passMfa(pool: Pick<Pool, 'clock'>, trx: Db, slate: Slate): Promise<void> {
  await clearFailures(trx, keyOf(slate), iso(pool.clock.now().getTime()))
}

/** Under which keys wrong guesses at a user's account are counted. */
export function lockoutKeysOf(sub: string): string[] {
  return [sub, ...Object.values(SLATES).map(({ suffix }) => `${sub}${suffix}`)]
}

function keyOf({ sub, of }: Slate): string {
  return `${sub}${SLATES[of].suffix}`
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

const HOUR_MS = 3600_000

/** Attempts per user in any 60 minutes (identity.md 6). */
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

/** Amazon's model knows LimitExceededException for the operations of the others alone (identity.md appendix A). */
const WITHOUT_LIMIT_EXCEEDED: ReadonlySet<keyof typeof PER_HOUR> = new Set([
  'AssociateSoftwareToken',
  'FirstFactorCode',
  'SignInCode',
  'UpdateUserAttributes',
  'VerifySoftwareToken',
])

/**
 * Counts an attempt, or says that the hour's quota is used up. Refused attempts do not count: Amplify repeats each
 * refusal twice by itself and would otherwise never get out.
 */
export async function spendQuota(
  pool: Pick<Pool, 'clock'>,
  trx: Db,
  operation: keyof typeof PER_HOUR,
  sub: string,
): Promise<CognitoError | undefined> {
  const now = pool.clock.now()
  const key = { sub, operation }
  const kept = await holdAttempts(trx, key, now.toISOString())
  const recent = kept.filter((at) => at > now.getTime() - HOUR_MS)
  if (recent.length >= PER_HOUR[operation]) {
    return WITHOUT_LIMIT_EXCEEDED.has(operation) ? refusals.tooManyAttempts() : refusals.attemptLimit()
  }
  await setAttempts(trx, key, { recent: [...recent, now.getTime()], now: now.toISOString() })
  return undefined
}
