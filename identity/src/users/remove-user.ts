import type { Pool } from '../pool/pool.ts'
import type { Db } from '../tables.ts'
import { revokeSessionsOf } from '../tokens/session-store.ts'
import { removeTracesOf, removeUserRow } from './user-removal-store.ts'

/**
 * Removes a user with everything that is kept of them, here and in the rest of the program, in one transaction.
 * @returns the sessions that ended, for `pool.revokedHere` after the commit
 */
export async function removeUser(pool: Pool, trx: Db, sub: string): Promise<string[]> {
  const ended = await revokeSessionsOf(trx, sub, { now: pool.clock.now().toISOString() })
  const gone = await removeUserRow(trx, sub)
  if (gone) {
    await pool.onUserDeleted(trx, sub)
    await removeTracesOf(trx, [gone])
  }
  return ended
}
