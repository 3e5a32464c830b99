import { lockoutKeysOf } from '../../base/limits/user-limits.ts'
import { nameKey } from '../../base/names.ts'
import type { Db, UserRow } from '../../base/tables.ts'
import { removePasskeysOf } from '../../parts/passkeys/passkey-store.ts'
import { removeLinksOf } from '../external/link-store.ts'

/** What identifies the data of a removed user. */
export type Gone = Pick<UserRow, 'sub' | 'username' | 'email_key'>

/** What is needed to notify them. */
export type Addressee = Pick<UserRow, 'email' | 'email_verified'>

/** The tables with rows under a user id. A new table of that kind belongs here. */
const TABLES_OF_USERS = [
  'identity_code',
  'identity_quota',
  'identity_totp',
  'identity_recovery_code',
  'identity_sign_in',
  'identity_device',
  'identity_passkey_challenge',
  'identity_oauth_code',
  'identity_oauth_grant',
  'identity_session',
  'identity_refresh_token',
  'identity_security_event',
] as const

/** Removes the data of removed users: their names, and all rows under their ids. */
export async function removeTracesOf(trx: Db, gone: readonly Gone[]): Promise<void> {
  if (gone.length === 0) return
  const subs = gone.map(({ sub }) => sub)
  const addresses = gone.map((user) => user.email_key)
  const names = [...addresses, ...gone.map(({ username }) => nameKey(username))]
  await trx.deleteFrom('identity_login_name').where('name_key', 'in', names).where('sub', 'in', subs).execute()
  await trx.deleteFrom('identity_pending_email').where('email_key', 'in', addresses).where('sub', 'in', subs).execute()
  await removePasskeysOf(trx, subs)
  await removeLinksOf(trx, subs)
  await trx.deleteFrom('identity_lockout').where('sub', 'in', subs.flatMap(lockoutKeysOf)).execute()
  for (const table of TABLES_OF_USERS) await trx.deleteFrom(table).where('sub', 'in', subs).execute()
}

/** Removes a user and returns what identifies the rest; undefined when there was none. */
export async function removeUserRow(trx: Db, sub: string): Promise<(Gone & Addressee) | undefined> {
  return await trx
    .deleteFrom('identity_user')
    .where('sub', '=', sub)
    .returning(['sub', 'username', 'email_key', 'email', 'email_verified'])
    .executeTakeFirst()
}
