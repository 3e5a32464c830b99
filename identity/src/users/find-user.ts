import type { Pool } from '../pool/pool.ts'
import { findByLoginName } from './login-name-store.ts'
import { nameKey } from './names.ts'

export type FoundUser = { userId: string; username: string; email: string | undefined }

/** The confirmed user of that username, compared without case; e-mail addresses do not count. */
export async function findConfirmedUser(pool: Pool, username: string): Promise<FoundUser | undefined> {
  const user = await findByLoginName(pool.database.read, nameKey(username))
  if (user?.name_kind !== 'username' || user.status === 'UNCONFIRMED') return undefined
  return { userId: user.sub, username: user.username, email: user.email_verified === 1 ? user.email : undefined }
}
