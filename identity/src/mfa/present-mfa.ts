import type { Db, UserRow } from '../tables.ts'
import { mfaPreferenceOf, usableMethods } from './methods.ts'

/** What a user is told of their second factors; nothing where none is on. */
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
