import type { Db, UserRow } from '../../base/tables.ts'
import type { PasswordColumns } from '../../parts/users/password.ts'

export async function giveTemporaryPassword(
  trx: Db,
  sub: string,
  columns: PasswordColumns,
  { now, until }: { now: string; until: string },
): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ ...columns, status: 'FORCE_CHANGE_PASSWORD', temporary_until: until, updated_at: now })
    .where('sub', '=', sub)
    .where('status', '!=', 'UNCONFIRMED')
    .execute()
}

export async function voidPassword(trx: Db, sub: string, now: string): Promise<void> {
  await trx
    .updateTable('identity_user')
    .set({ status: 'RESET_REQUIRED', temporary_until: null, updated_at: now })
    .where('sub', '=', sub)
    .where('status', '!=', 'UNCONFIRMED')
    .execute()
}

export async function setEnabled(trx: Db, sub: string, enabled: 0 | 1): Promise<void> {
  await trx.updateTable('identity_user').set({ enabled }).where('sub', '=', sub).execute()
}

export async function listUsers(db: Db, { after, limit }: { after: string; limit: number }): Promise<UserRow[]> {
  return await db.selectFrom('identity_user').selectAll().where('sub', '>', after).orderBy('sub').limit(limit).execute()
}

/** How many users there are of each status, and how many are disabled. */
export async function countUsers(db: Db): Promise<{ status: string; enabled: number; users: number }[]> {
  const rows = await db
    .selectFrom('identity_user')
    .select(({ fn }) => ['status', 'enabled', fn.countAll().as('users')])
    .groupBy(['status', 'enabled'])
    .execute()
  return rows.map((row) => ({ ...row, users: Number(row.users) }))
}

/** Whether the pool has a user who is confirmed. Names no key: ask only while an installation is set up. */
export async function hasAccount(db: Db): Promise<boolean> {
  const query = db.selectFrom('identity_user').select('sub').where('status', '!=', 'UNCONFIRMED').limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

/** Locks the pool until the end of the transaction. Others that lock it wait. */
export async function lockPool(trx: Db): Promise<void> {
  await trx
    .updateTable('identity_pool')
    .set((columns) => ({ created_at: columns.ref('created_at') }))
    .execute()
}
