import { isNoticed, noticeMail } from '../mails/notice-mail.ts'
import type { Db, UserRow } from '../tables.ts'
import { coarseClient } from './coarse-client.ts'
import type { AttemptKind, EventKind } from './event-kinds.ts'
import { addEvent, countInRun } from './security-event-store.ts'
import type { AttemptPorts, EventPorts } from '../base/ports.ts'

type Subject = Pick<UserRow, 'sub' | 'email' | 'email_verified'>

/**
 * Notes what was done to an account, in the transaction that does it, and has its owner told by mail where they would
 * want to know if it was not them. After the commit the caller wakes the mail queue.
 */
export async function recordEvent(pool: EventPorts, trx: Db, user: Subject, kind: EventKind): Promise<void> {
  const { sub, email } = user
  const at = pool.clock.now().toISOString()
  const client = coarseClient(pool.userAgent)
  await addEvent(trx, { sub, id: pool.random.orderedId(), kind, client, at })
  if (!isNoticed(kind) || user.email_verified !== 1) return
  await pool.mail.enqueue(trx, noticeMail({ kind, to: email, at, client, productName: pool.productName }))
}

/**
 * Notes what a stranger did at somebody's account, or at nobody's: the same work for both, so that it tells no one who
 * has an account. All of a kind in one day (UTC) is one line that says how often, so that whoever keeps trying neither
 * fills the log nor buries what else is in it. No mail, for the same reason.
 */
export async function recordAttempt(pool: AttemptPorts, trx: Db, sub: string, kind: AttemptKind): Promise<void> {
  const at = pool.clock.now().toISOString()
  const run = `${kind} ${at.slice(0, 10)}`
  await countInRun(trx, { sub, id: pool.random.orderedId(), kind, client: coarseClient(pool.userAgent), at, run })
}
