import { type CognitoError, invalidParameter } from '../../base/errors/refusals.ts'
import type { Pool } from '../../base/ports.ts'
import type { Db, UserRow } from '../../base/tables.ts'

import { findTotp } from './mfa-store.ts'

/** Second factors by the names of their challenges, in the order in which they are offered. */
export const MFA_METHODS = ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP', 'SMS_MFA'] as const
export type MfaMethod = (typeof MFA_METHODS)[number]

export type MfaPreference = { methods: readonly MfaMethod[]; preferred: MfaMethod | undefined }

/** The enabled second factors and the preferred one. */
export function mfaPreferenceOf(user: Pick<UserRow, 'mfa_methods' | 'mfa_preferred'>): MfaPreference {
  const names = user.mfa_methods.split(',')
  const methods = MFA_METHODS.filter((method) => names.includes(method))
  return { methods, preferred: methods.find((method) => method === user.mfa_preferred) }
}

/** The columns of a preference. The preferred method must be enabled. */
export function mfaColumns({ methods, preferred }: MfaPreference): Pick<UserRow, 'mfa_methods' | 'mfa_preferred'> {
  const kept = preferred !== undefined && methods.includes(preferred) ? preferred : null
  return { mfa_methods: methods.join(','), mfa_preferred: kept }
}

/** The preference with one more method, which becomes the preferred one. */
export function withMethod(preference: MfaPreference, method: MfaMethod): MfaPreference {
  const methods = MFA_METHODS.filter((name) => name === method || preference.methods.includes(name))
  return { methods, preferred: method }
}

/** The refusal to disable the last second factor of a user where one is required. */
export function refuseLastFactor(
  pool: Pick<Pool, 'mfa'>,
  before: readonly MfaMethod[],
  after: readonly MfaMethod[],
): CognitoError | undefined {
  if (pool.mfa !== 'required' || after.length > 0 || before.length === 0) return undefined
  return invalidParameter('MFA is required for this user pool: one factor must stay enabled.')
}

/** Whether the user has what a method needs: a secret, or a verified address or number. */
export async function isUsable(db: Db, user: UserRow, method: MfaMethod): Promise<boolean> {
  switch (method) {
    case 'SOFTWARE_TOKEN_MFA':
      return (await findTotp(db, user.sub, 'verified')) !== undefined
    case 'EMAIL_OTP':
      return user.email_verified === 1
    case 'SMS_MFA':
      return user.phone_number !== null
  }
}

/** The enabled methods that the user can use. */
export async function usableMethods(db: Db, user: UserRow): Promise<MfaMethod[]> {
  const usable: MfaMethod[] = []
  for (const method of mfaPreferenceOf(user).methods) {
    if (await isUsable(db, user, method)) usable.push(method)
  }
  return usable
}

/** The second factors of a user as clients list them; empty when none is enabled. */
export async function presentMfa(
  db: Db,
  user: UserRow,
): Promise<{ PreferredMfaSetting?: string; UserMFASettingList?: string[] }> {
  const methods = await usableMethods(db, user)
  const { preferred } = mfaPreferenceOf(user)
  return {
    ...(preferred !== undefined && methods.includes(preferred) && { PreferredMfaSetting: preferred }),
    ...(methods.length > 0 && { UserMFASettingList: methods }),
  }
}
