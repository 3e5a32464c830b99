import { preparedFirst } from '@marquee/platform/database/prepared'
import { sql } from 'kysely'

import { type Cleanup, type Db, identityTables } from '../../base/tables.ts'

/** Claims a name or verified address for a user; false when it is taken. The primary key settles races. */
export async function claimLoginName(
  trx: Db,
  name: { nameKey: string; sub: string; kind: 'username' | 'email' },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('identity_login_name')
    .values({ name_key: name.nameKey, sub: name.sub, kind: name.kind })
    .onConflict((conflict) => conflict.column('name_key').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Moves an address from one user to another; false when it was not, or is no longer, that of `from`. */
export async function moveLoginName(
  trx: Db,
  nameKey: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('identity_login_name')
    .set({ sub: to })
    .where('name_key', '=', nameKey)
    .where('kind', '=', 'email')
    .where('sub', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * The owner of a name, as username or verified address. When tables are distributed, names and users are on different
 * machines, so another statement reads the user.
 */
export const findLoginName = preparedFirst<{ nameKey: string }, { sub: string; kind: 'username' | 'email' }>(
  (db, value) =>
    identityTables(db)
      .selectFrom('identity_login_name')
      .select(['sub', 'kind'])
      .where('name_key', '=', value('nameKey')),
)

/** Releases an address if it still belongs to this user. */
export async function removeLoginName(trx: Db, nameKey: string, sub: string): Promise<void> {
  await trx
    .deleteFrom('identity_login_name')
    .where('name_key', '=', nameKey)
    .where('sub', '=', sub)
    .where('kind', '=', 'email')
    .execute()
}

export async function addPendingEmail(
  trx: Db,
  pending: { email_key: string; sub: string; created_at: string },
): Promise<void> {
  await trx.insertInto('identity_pending_email').values(pending).execute()
}

export async function removePendingEmail(trx: Db, emailKey: string, sub: string): Promise<void> {
  await trx.deleteFrom('identity_pending_email').where('email_key', '=', emailKey).where('sub', '=', sub).execute()
}

const newestPending = preparedFirst<{ emailKey: string }, { sub: string }>((db, value) =>
  identityTables(db)
    .selectFrom('identity_pending_email')
    .select('sub')
    .where('email_key', '=', value('emailKey'))
    .orderBy('created_at', 'desc')
    .limit(sql.lit(1)),
)

/** The `sub` of the newest user who signed up with this address and has not verified it yet. */
export async function findNewestPending(db: Db, emailKey: string): Promise<string | undefined> {
  return (await newestPending(db, { emailKey }))?.sub
}

export const loginNameCleanup: Cleanup = {
  removeUsers: async (trx, { subs, nameKeys, emailKeys }) => {
    await trx.deleteFrom('identity_login_name').where('name_key', 'in', nameKeys).where('sub', 'in', subs).execute()
    await trx
      .deleteFrom('identity_pending_email')
      .where('email_key', 'in', emailKeys)
      .where('sub', 'in', subs)
      .execute()
  },
}
