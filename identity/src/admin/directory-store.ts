import type { Db, UserRow } from '../tables.ts'

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
