import { mfaPreferenceOf, usableMethods } from '../../mfa/methods.ts'
import { CognitoError } from '../../wire/cognito-error.ts'
import type { UserRow } from '../../tables.ts'
import { askSecondFactor } from '../ask-second-factor.ts'
import { offeredFactors } from '../offered-factors.ts'
import type { Progress } from '../session.ts'
import { challenge, type Step } from '../step.ts'
import { isOnRememberedDevice } from './device.ts'

/** Asks for a second factor where the pool or the user wants one (identity.md 2.7). */
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

/** Codes by mail go to a proven address, and are no second factor for who began with one. */
export function maySetUpMail(user: Pick<UserRow, 'email_verified'>, { proven }: Pick<Progress, 'proven'>): boolean {
  return user.email_verified === 1 && !proven.includes('email')
}
