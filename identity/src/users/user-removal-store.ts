import type { Db } from '../tables.ts'

/** Everything that is kept under a user's id. A new table of that kind belongs here. */
const TABLES_OF_USERS = [
  'identity_login_name',
  'identity_pending_email',
  'identity_code',
  'identity_quota',
  'identity_lockout',
  'identity_totp',
  'identity_recovery_code',
  'identity_sign_in',
  'identity_device',
  'identity_passkey',
  'identity_passkey_challenge',
  'identity_session',
  'identity_refresh_token',
] as const

/** Removes what is kept of users who are gone. */
export async function removeTracesOf(trx: Db, subs: readonly string[]): Promise<void> {
  if (subs.length === 0) return
  for (const table of TABLES_OF_USERS) await trx.deleteFrom(table).where('sub', 'in', subs).execute()
}

/** Removes a user; false when there was none. */
export async function removeUserRow(trx: Db, sub: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('identity_user').where('sub', '=', sub).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}
