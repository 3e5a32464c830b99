import { type MfaMethod, usableMethods } from '../mfa/methods.ts'
import type { Db, UserRow } from '../tables.ts'
import type { Factor, Session } from './session.ts'

/** The second factors a sign-in may go on with: what was the first factor cannot be the second one as well. */
export async function offeredFactors(db: Db, user: UserRow, proven: readonly Factor[]): Promise<MfaMethod[]> {
  const usable = await usableMethods(db, user)
  return usable.filter(
    (method) =>
      !(method === 'EMAIL_OTP' && proven.includes('email')) && !(method === 'SMS_MFA' && proven.includes('sms')),
  )
}

/**
 * Whether a sign-in that waits for this second factor would still be asked for it: what the user has switched on since
 * is not got around with a challenge from before.
 */
export async function isStillAsked(
  db: Db,
  user: UserRow,
  { proven }: Pick<Session, 'proven'>,
  method: MfaMethod,
): Promise<boolean> {
  return (await offeredFactors(db, user, proven)).includes(method)
}

/** Whether the user has no second factor to this day, so that the password alone may set one up. */
export async function maySetUp(db: Db, user: UserRow): Promise<boolean> {
  return (await usableMethods(db, user)).length === 0
}
