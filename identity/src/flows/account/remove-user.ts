import { coarseClient } from '../../base/audit/record-event.ts'
import { securityEventCleanup } from '../../base/audit/security-event-store.ts'
import { limitCleanup } from '../../base/limits/limit-store.ts'
import { type MailTexts, mailTextsOf } from '../../base/mails/mail-texts.ts'
import { noticeMail } from '../../base/mails/notice-mail.ts'
import { nameKey } from '../../base/names.ts'
import type { MailPorts, Pool } from '../../base/ports.ts'
import type { Cleanup, Db } from '../../base/tables.ts'
import { codeCleanup } from '../../parts/codes/code-store.ts'
import { deviceCleanup } from '../../parts/devices/device-store.ts'
import { mfaCleanup } from '../../parts/mfa/mfa-store.ts'
import { passkeyCleanup } from '../../parts/passkeys/passkey-store.ts'
import { revokeSessionsOf, sessionCleanup } from '../../parts/tokens/session-store.ts'
import { loginNameCleanup } from '../../parts/users/login-name-store.ts'
import { type RemovedUser, removeUserRow } from '../../parts/users/user-store.ts'
import { signInCleanup } from '../../sign-in/session-store.ts'
import { linkCleanup } from '../external/link-store.ts'
import { oauthCleanup } from '../oauth/oauth-store.ts'

/** Every store with rows of users, or with rows that expire. */
export const CLEANUPS: readonly Cleanup[] = [
  loginNameCleanup,
  codeCleanup,
  limitCleanup,
  mfaCleanup,
  deviceCleanup,
  passkeyCleanup,
  sessionCleanup,
  signInCleanup,
  oauthCleanup,
  linkCleanup,
  securityEventCleanup,
]

type Ports = MailPorts & Pick<Pool, 'clock' | 'database' | 'endedSessions' | 'onUserDeleted' | 'userAgent'>

/** Removes a user with all their data, here and in the rest of the program, in one transaction, and notifies them by mail. */
export async function removeUser(pool: Ports, sub: string): Promise<void> {
  const { ended, afterCommit } = await pool.database.transaction(async (trx) => await removeWithin(pool, trx, sub))
  pool.endedSessions.add(ended)
  pool.mail.wake()
  afterCommit?.()
}

async function removeWithin(pool: Ports, trx: Db, sub: string) {
  // Afterwards no sign-in can add a session: it needs the row of the user.
  const user = await removeUserRow(trx, sub)
  const ended = await revokeSessionsOf(trx, sub, { now: pool.clock.now().toISOString() })
  if (!user) return { ended }
  const texts = await mailTextsOf(pool, trx, sub)
  const afterCommit = await pool.onUserDeleted(trx, sub)
  await removeRowsOf(trx, [user])
  await notifyOfRemoval(pool, trx, user, texts)
  return { ended, afterCommit }
}

/** Removes the rows of removed users from all stores. */
export async function removeRowsOf(trx: Db, users: readonly RemovedUser[]): Promise<void> {
  if (users.length === 0) return
  const emailKeys = users.map((user) => user.email_key)
  const nameKeys = [...emailKeys, ...users.map(({ username }) => nameKey(username))]
  const removed = { subs: users.map(({ sub }) => sub), nameKeys, emailKeys }
  for (const { removeUsers } of CLEANUPS) await removeUsers?.(trx, removed)
}

async function notifyOfRemoval(
  pool: Pick<Pool, 'clock' | 'mail' | 'productName' | 'userAgent'>,
  trx: Db,
  user: RemovedUser,
  texts: MailTexts,
): Promise<void> {
  if (user.email_verified !== 1) return
  const at = pool.clock.now().toISOString()
  const notice = { kind: 'account-deleted', to: user.email, at, client: coarseClient(pool.userAgent) } as const
  await pool.mail.enqueue(trx, noticeMail(texts, { ...notice, productName: pool.productName }))
}
