import { recordEvent } from '../audit/record-event.ts'
import type { Db } from '../tables.ts'
import { findUserBySub, setMfa } from '../users/user-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import { invalidParameter } from '../wire/refusals.ts'
import { isUsable, MFA_METHODS, mfaColumns, type MfaMethod, mfaPreferenceOf } from './methods.ts'
import { removeRecoveryCodes } from './recovery-code-store.ts'
import type { EventPorts, Pool } from '../base/ports.ts'

type MfaChange = { Enabled?: boolean | undefined; PreferredMfa?: boolean | undefined }
export type MfaChanges = Partial<Record<MfaMethod, MfaChange | undefined>>

const NOT_READY: Readonly<Record<MfaMethod, string>> = {
  SOFTWARE_TOKEN_MFA: 'User has not verified software token mfa',
  EMAIL_OTP: 'User does not have delivery config set to turn on EMAIL_OTP',
  SMS_MFA: 'User does not have delivery config set to turn on SMS_MFA',
}

/** Switches second factors on and off; what is not named stays as it is. The caller wakes the mail queue. */
export async function changeMfa(
  pool: EventPorts & Pick<Pool, 'mfa'>,
  trx: Db,
  sub: string,
  changes: MfaChanges,
): Promise<CognitoError | undefined> {
  const user = await findUserBySub(trx, sub)
  if (!user) return new CognitoError('UserNotFoundException', 'User does not exist.')
  const before = mfaPreferenceOf(user)
  const methods = MFA_METHODS.filter((method) => changes[method]?.Enabled ?? before.methods.includes(method))
  const added = methods.filter((method) => !before.methods.includes(method))
  if (added.length > 0 && pool.mfa === 'off') return invalidParameter('User pool does not have MFA enabled.')
  for (const method of added) {
    if (!(await isUsable(trx, user, method))) return invalidParameter(NOT_READY[method])
  }
  if (pool.mfa === 'required' && methods.length === 0 && before.methods.length > 0) {
    return invalidParameter('MFA is required for this user pool: one factor must stay enabled.')
  }
  const wanted = MFA_METHODS.filter((method) => changes[method]?.PreferredMfa === true)
  if (wanted.length > 1) return invalidParameter('Only one MFA method can be preferred.')
  if (wanted.some((method) => !methods.includes(method))) {
    return invalidParameter('The preferred MFA method must be enabled.')
  }
  const given = before.preferred
  const kept = given !== undefined && changes[given]?.PreferredMfa !== false ? given : undefined
  const removed = before.methods.filter((method) => !methods.includes(method))
  if (added.length > 0) await recordEvent(pool, trx, user, 'second-factor-on')
  if (removed.length > 0) await recordEvent(pool, trx, user, 'second-factor-off')
  await setMfa(trx, sub, mfaColumns({ methods, preferred: wanted[0] ?? kept }))
  // They stand in for the app; without it they would open nothing, and later open what was set up anew.
  if (!methods.includes('SOFTWARE_TOKEN_MFA')) await removeRecoveryCodes(trx, sub)
  return undefined
}
