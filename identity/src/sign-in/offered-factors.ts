import { type MfaMethod, usableMethods } from '../mfa/methods.ts'
import type { Db, UserRow } from '../tables.ts'
import type { Factor } from './session.ts'

/** The second factors a sign-in may go on with: what was the first factor cannot be the second one as well. */
export async function offeredFactors(db: Db, user: UserRow, proven: readonly Factor[]): Promise<MfaMethod[]> {
  const usable = await usableMethods(db, user)
  return usable.filter(
    (method) =>
      !(method === 'EMAIL_OTP' && proven.includes('email')) && !(method === 'SMS_MFA' && proven.includes('sms')),
  )
}
