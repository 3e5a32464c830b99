import type { Db } from '../tables.ts'
import type { CognitoError } from '../wire/cognito-error.ts'
import { refusals } from '../wire/refusals.ts'
import { holdAttempts, setAttempts } from './quota-store.ts'
import type { Pool } from '../base/ports.ts'

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
