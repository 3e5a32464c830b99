import type { Db, UserRow } from '../tables.ts'
import { findLoginName } from './login-name-store.ts'
import { nameKey } from './names.ts'
import { findUserBySub } from './user-store.ts'
import type { Pool } from '../base/ports.ts'

export type FoundUser = { userId: string; username: string; email: string | undefined }

/** The confirmed user of that username, compared without case; e-mail addresses do not count. */
export async function findConfirmedUser(
  pool: Pick<Pool, 'database'>,
  username: string,
): Promise<FoundUser | undefined> {
  const user = await findUserByUsername(pool.database.read, username)
  if (!user || user.status === 'UNCONFIRMED') return undefined
  return { userId: user.sub, username: user.username, email: user.email_verified === 1 ? user.email : undefined }
}

/** The user of that username, compared without case; e-mail addresses do not count. */
export async function findUserByUsername(db: Db, username: string): Promise<UserRow | undefined> {
  const name = await findLoginName(db, nameKey(username))
  return name?.kind === 'username' ? await findUserBySub(db, name.sub) : undefined
}
