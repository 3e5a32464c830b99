import { dialectOf } from '@marquee/platform/database/database'
import { prepared, preparedFirst } from '@marquee/platform/database/prepared'

import { type Db, identityTables, type UserRow } from '../../base/tables.ts'
import type { PasswordColumns } from './password.ts'

export async function addUser(trx: Db, user: UserRow): Promise<void> {
  await trx.insertInto('identity_user').values(user).execute()
}

const COLUMNS = [
  'sub',
  'username',
  'email',
  'email_key',
  'email_verified',
  'status',
  'salt',
  'verifier_box',
  'key_id',
  'created_at',
  'updated_at',
  'signed_in_at',
  'enabled',
  'temporary_until',
  'pending_email',
  'phone_number',
  'pending_phone',
  'mfa_methods',
  'mfa_preferred',
] as const

const userBySub = preparedFirst<{ sub: string }, UserRow>((db, value) =>
  identityTables(db).selectFrom('identity_user').select(COLUMNS).where('sub', '=', value('sub')),
)

export async function findUserBySub(db: Db, sub: string): Promise<UserRow | undefined> {
  return await userBySub(db, { sub })
}

const lockedBySub = preparedFirst<{ sub: string }, UserRow>((db, value) => {
  const user = identityTables(db).selectFrom('identity_user').select(COLUMNS).where('sub', '=', value('sub'))
  // On SQLite one transaction at a time writes.
  return dialectOf(db) === 'postgres' ? user.forUpdate() : user
})

/**
 * Reads a user and locks the row until the transaction ends, so that what is read stays true. A code to an address is
 * made behind this lock: otherwise a concurrent change would leave a code that went to the previous address.
 */
export async function lockUser(trx: Db, sub: string): Promise<UserRow | undefined> {
  return await lockedBySub(trx, { sub })
}

const claimSignIn = prepared<Pick<UserRow, 'sub' | 'salt'> & { now: string }, { sub: string }>((db, value) =>
  identityTables(db)
    .updateTable('identity_user')
    .set({ signed_in_at: value('now') })
    .where('sub', '=', value('sub'))
    .where('salt', '=', value('salt'))
    .where('status', '=', 'CONFIRMED')
    .where('enabled', '=', 1)
    .returning('sub'),
)

/**
 * Records a sign-in; false when the password has changed since it was checked, so that a password change and a
 * concurrent sign-in with the old password cannot both succeed.
 */
export async function recordSignIn(trx: Db, user: Pick<UserRow, 'sub' | 'salt'>, now: string): Promise<boolean> {
  const { sub, salt } = user
  return (await claimSignIn(trx, { sub, salt, now })).length === 1
}

/** Sets a new password; false when the old one has changed in the meantime. */
export async function changePassword(
  trx: Db,
  user: Pick<UserRow, 'sub' | 'salt'>,
  columns: PasswordColumns,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_user')
    .set({ ...columns, updated_at: now })
    .where('sub', '=', user.sub)
    .where('salt', '=', user.salt)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Replaces a temporary password with the user's own; undefined when the temporary one is no longer valid. */
export async function replaceTemporaryPassword(
  trx: Db,
  user: Pick<UserRow, 'sub' | 'salt'>,
  columns: PasswordColumns,
  now: string,
): Promise<UserRow | undefined> {
  return await trx
    .updateTable('identity_user')
    .set({ ...columns, status: 'CONFIRMED', temporary_until: null, updated_at: now })
    .where('sub', '=', user.sub)
    .where('salt', '=', user.salt)
    .where('status', '=', 'FORCE_CHANGE_PASSWORD')
    .returningAll()
    .executeTakeFirst()
}

/** Sets the enabled second factors. */
export async function setMfa(
  trx: Db,
  sub: string,
  columns: Pick<UserRow, 'mfa_methods' | 'mfa_preferred'>,
): Promise<void> {
  await trx.updateTable('identity_user').set(columns).where('sub', '=', sub).execute()
}

/** Sets a new password after a reset, regardless of the old one. */
export async function resetPassword(trx: Db, sub: string, columns: PasswordColumns, now: string): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ ...columns, status: 'CONFIRMED', temporary_until: null, updated_at: now })
    .where('sub', '=', sub)
    .execute()
}

/** Confirms a user and verifies their e-mail; false when there is no such unconfirmed user. */
export async function confirmUser(trx: Db, sub: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_user')
    .set({ status: 'CONFIRMED', email_verified: 1, updated_at: now })
    .where('sub', '=', sub)
    .where('status', '=', 'UNCONFIRMED')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Marks this address of a user as unverified, because another user has verified it. It no longer signs in. */
export async function unverifyEmail(trx: Db, sub: string, emailKey: string, now: string): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ email_verified: 0, updated_at: now })
    .where('sub', '=', sub)
    .where('email_key', '=', emailKey)
    .execute()
}

/** Stores a pending address, which replaces the verified one once it is verified; null removes it. */
export async function setPendingEmail(trx: Db, sub: string, email: string | null): Promise<void> {
  await trx.updateTable('identity_user').set({ pending_email: email }).where('sub', '=', sub).execute()
}

export async function setPendingPhone(trx: Db, sub: string, phoneNumber: string | null): Promise<void> {
  await trx.updateTable('identity_user').set({ pending_phone: phoneNumber }).where('sub', '=', sub).execute()
}

/** Makes the address the verified one and clears the pending one. */
export async function setVerifiedEmail(
  trx: Db,
  sub: string,
  { email, emailKey, now }: { email: string; emailKey: string; now: string },
): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ email, email_key: emailKey, email_verified: 1, pending_email: null, updated_at: now })
    .where('sub', '=', sub)
    .execute()
}

/** Sets the verified number, or none with null, and clears the pending one. */
export async function setPhone(trx: Db, sub: string, phoneNumber: string | null, now: string): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ phone_number: phoneNumber, pending_phone: null, updated_at: now })
    .where('sub', '=', sub)
    .execute()
}

/** The columns of a removed user that identify other rows and the recipient of the notice. */
export type RemovedUser = Pick<UserRow, 'sub' | 'username' | 'email_key' | 'email' | 'email_verified'>

const REMOVED_USER = ['sub', 'username', 'email_key', 'email', 'email_verified'] as const

/** Removes the row of a user; undefined when there was none. Other stores remove their own rows. */
export async function removeUserRow(trx: Db, sub: string): Promise<RemovedUser | undefined> {
  return await trx.deleteFrom('identity_user').where('sub', '=', sub).returning(REMOVED_USER).executeTakeFirst()
}

/** Removes users who signed up before the given time and never confirmed. */
export async function removeAbandonedRows(trx: Db, before: string, limit: number): Promise<RemovedUser[]> {
  const abandoned = trx
    .selectFrom('identity_user')
    .select('sub')
    .where('status', '=', 'UNCONFIRMED')
    .where('created_at', '<', before)
    .limit(limit)
  // The status is checked again, because the user may confirm at the same time.
  return await trx
    .deleteFrom('identity_user')
    .where('sub', 'in', abandoned)
    .where('status', '=', 'UNCONFIRMED')
    .returning(REMOVED_USER)
    .execute()
}
