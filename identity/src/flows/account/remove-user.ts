import { coarseClient } from '../../base/audit/record-event.ts'
import { noticeMail } from '../../base/mails/notice-mail.ts'
import type { Pool } from '../../base/ports.ts'
import type { Db } from '../../base/tables.ts'
import { revokeSessionsOf } from '../../parts/tokens/session-store.ts'
import { type Addressee, removeTracesOf, removeUserRow } from './user-removal-store.ts'

type Ports = Pick<Pool, 'clock' | 'mail' | 'onUserDeleted' | 'productName' | 'userAgent'>

/**
 * Removes a user with all their data, here and in the rest of the program, in one transaction, and notifies them by
 * mail. After the commit the caller wakes the mail queue.
 * @returns the sessions that ended, for `endedSessions` after the commit
 */
export async function removeUser(pool: Ports, trx: Db, sub: string): Promise<string[]> {
  const ended = await revokeSessionsOf(trx, sub, { now: pool.clock.now().toISOString() })
  const gone = await removeUserRow(trx, sub)
  if (gone) {
    await pool.onUserDeleted(trx, sub)
    await removeTracesOf(trx, [gone])
    await notifyOfRemoval(pool, trx, gone)
  }
  return ended
}

async function notifyOfRemoval(
  pool: Pick<Pool, 'clock' | 'mail' | 'productName' | 'userAgent'>,
  trx: Db,
  user: Addressee,
): Promise<void> {
  if (user.email_verified !== 1) return
  const at = pool.clock.now().toISOString()
  const notice = { kind: 'account-deleted', to: user.email, at, client: coarseClient(pool.userAgent) } as const
  await pool.mail.enqueue(trx, noticeMail({ ...notice, productName: pool.productName }))
}
