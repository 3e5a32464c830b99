import { CognitoError, refusals } from '../base/errors/refusals.ts'

import type { CodePorts, Pool } from '../base/ports.ts'
import type { Db, UserRow } from '../base/tables.ts'
import { codeParameters, sendSignInCode } from '../parts/codes/code-delivery.ts'
import { isUsable, type MfaMethod, mfaPreferenceOf, usableMethods } from '../parts/mfa/methods.ts'
import { findTotp } from '../parts/mfa/mfa-store.ts'
import { fingerprintOf } from '../parts/users/password.ts'
import { findUserBySub, lockUser } from '../parts/users/user-store.ts'
import { isOnRememberedDevice } from './device-step.ts'
import {
  challenge,
  type Factor,
  type NextChallenge,
  type Progress,
  readSession,
  type Session,
  type Step,
} from './session.ts'

/** Asks for a second factor where the pool or the user requires one. */
export const requireSecondFactor: Step = async (pool, trx, user, progress) => {
  if (pool.mfa === 'off' || progress.proven.includes('mfa')) return undefined
  const offered = await offeredFactors(trx, user, progress.proven)
  const [first, ...others] = offered
  if (first === undefined) {
    const isAnySetUp = (await usableMethods(trx, user)).length > 0
    if (isAnySetUp) return new CognitoError('MFAMethodNotFoundException', 'Sign in with your password.')
    if (pool.mfa === 'optional') return undefined
    const choices = maySetUpMail(user, progress) ? ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'] : ['SOFTWARE_TOKEN_MFA']
    const parameters = { MFAS_CAN_SETUP: JSON.stringify(choices) }
    return challenge(pool, user, progress, { name: 'MFA_SETUP', parameters })
  }
  if (await isOnRememberedDevice(pool, trx, user.sub, progress)) return undefined
  const { preferred } = mfaPreferenceOf(user)
  const method = others.length === 0 ? first : offered.find((name) => name === preferred)
  if (method !== undefined) return await askSecondFactor(pool, trx, user, { progress, method })
  const parameters = { MFAS_CAN_CHOOSE: JSON.stringify(offered) }
  return challenge(pool, user, progress, { name: 'SELECT_MFA_TYPE', parameters })
}

/** Codes by mail need a verified address, and cannot follow a sign-in that began with one. */
export function maySetUpMail(user: Pick<UserRow, 'email_verified'>, { proven }: Pick<Progress, 'proven'>): boolean {
  return user.email_verified === 1 && !proven.includes('email')
}

/** The second factors a sign-in can use: the first factor cannot be the second one too. */
export async function offeredFactors(db: Db, user: UserRow, proven: readonly Factor[]): Promise<MfaMethod[]> {
  const usable = await usableMethods(db, user)
  return usable.filter(
    (method) =>
      !(method === 'EMAIL_OTP' && proven.includes('email')) && !(method === 'SMS_MFA' && proven.includes('sms')),
  )
}

/**
 * Whether this second factor is still required: a factor enabled in the meantime cannot be bypassed with an older
 * challenge.
 */
export async function isStillAsked(
  db: Db,
  user: UserRow,
  { proven }: Pick<Session, 'proven'>,
  method: MfaMethod,
): Promise<boolean> {
  return (await offeredFactors(db, user, proven)).includes(method)
}

/** Whether the user has no second factor yet, so that the password alone may set one up. */
export async function maySetUp(db: Db, user: UserRow): Promise<boolean> {
  return (await usableMethods(db, user)).length === 0
}

/** The challenge for a second factor, after sending the code if it needs one. */
export async function askSecondFactor(
  pool: CodePorts & Pick<Pool, 'clientId' | 'id'>,
  trx: Db,
  user: UserRow,
  { progress, method, data }: { progress: Progress; method: MfaMethod; data?: Record<string, string> },
): Promise<CognitoError | NextChallenge> {
  if (method === 'SOFTWARE_TOKEN_MFA') {
    const name = (await findTotp(trx, user.sub, 'verified'))?.friendly_name
    return challenge(pool, user, progress, {
      name: method,
      parameters: typeof name === 'string' ? { FRIENDLY_DEVICE_NAME: name } : {},
    })
  }
  const medium = method === 'EMAIL_OTP' ? 'EMAIL' : 'SMS'
  const to = await lockedDestination(trx, user.sub, method)
  if (to === null) {
    const missing = medium === 'EMAIL' ? 'The user has not set up this second factor.' : 'The user has no phone number.'
    return new CognitoError('MFAMethodNotFoundException', missing)
  }
  const refusal = await sendSignInCode(pool, trx, { sub: user.sub, medium, to, isFirst: false })
  if (refusal) return refusal
  return challenge(pool, user, progress, {
    name: method,
    parameters: codeParameters(medium, to),
    ...(data && { data }),
  })
}

/** Where the code of a second factor goes now: `user` may have been read before the transaction. */
async function lockedDestination(trx: Db, sub: string, method: MfaMethod): Promise<string | null> {
  const user = await lockUser(trx, sub)
  if (!user || !(await isUsable(trx, user, method))) return null
  return method === 'EMAIL_OTP' ? user.email : user.phone_number
}

/**
 * The user who must set up a second factor. @throws NotAuthorizedException when the session is at another challenge.
 */
export async function readSetupSession(
  pool: Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring'>,
  db: Db,
  text: string,
): Promise<{ session: Session; user: UserRow }> {
  const session = readSession(pool, text, 'MFA_SETUP')
  const user = await findUserBySub(db, session.sub)
  const isSame = user !== undefined && fingerprintOf(user.salt) === session.fingerprint
  if (!isSame || session.proven.includes('mfa') || !(await maySetUp(db, user))) throw refusals.invalidSession()
  return { session, user }
}
