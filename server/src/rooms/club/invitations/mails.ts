import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { MailMessage } from '@marquee/platform/mail/message'
import type { MailQueue } from '@marquee/platform/mail/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import { DAY_MS, HOUR_MS } from '@marquee/platform/runtime/durations'

import {
  deleteUnchanged,
  findInvitationMails,
  holdInvitationMails,
  type InvitationMail,
  listInvitationMails,
  saveInvitationMails,
} from './mail-store.ts'

/** How many mails may invite one user in a day, for all watchlists together. */
const MAILS_PER_DAY = 20
const SWEPT_AT_ONCE = 500

export type InvitationMailPorts = {
  readonly clock: Clock
  readonly mail: Pick<MailQueue, 'enqueue' | 'replace' | 'cancel' | 'wake'>
}

/** The invitee, or the name of a mail address with its link, and the watchlist. */
type Invited = { readonly userId: string; readonly watchlistId: string; readonly linkId?: string }

/**
 * Puts the mail that invites a user into the outbox. A waiting mail for the same watchlist is replaced, since its
 * link is void. The next one is sent an hour after the last. Returns false if the daily limit is reached: then a user finds
 * the invitation in the app only.
 */
export async function mailInvitation(
  { clock, mail }: InvitationMailPorts,
  trx: AnyDb,
  { userId, watchlistId, linkId }: Invited,
  message: MailMessage,
  perDay = MAILS_PER_DAY,
): Promise<boolean> {
  const now = clock.now().getTime()
  const mails = (await holdInvitationMails(trx, userId)).filter(isRecent(now))
  const last = mails.findLast((sent) => sent.watchlistId === watchlistId)
  const invited = linkId === undefined ? { userId } : { linkId }
  const origin = { kind: 'invitation', watchlistId, ...invited }
  if (last && (await mail.replace(trx, last.mailId, message, origin))) return true
  if (mails.length >= perDay) return false
  // The last one may have been cancelled while it waited.
  const at = Math.min(now + HOUR_MS, Math.max(now, (last?.at ?? 0) + HOUR_MS))
  const mailId = await mail.enqueue(trx, message, { dueAt: new Date(at), origin })
  await saveInvitationMails(trx, userId, [...mails, { watchlistId, mailId, at }])
  return true
}

/** Cancels a waiting mail after the invitation is accepted, declined or withdrawn. */
export async function cancelInvitationMail(
  { mail }: Pick<InvitationMailPorts, 'mail'>,
  trx: AnyDb,
  { userId, watchlistId }: Invited,
): Promise<void> {
  const mails = await findInvitationMails(trx, userId)
  const last = mails.findLast((sent) => sent.watchlistId === watchlistId)
  if (last) await mail.cancel(trx, last.mailId)
}

/** Forgets whom mails have invited, once these no longer count. */
export async function sweepInvitationMails({
  database,
  clock,
}: Pick<InvitationMailPorts, 'clock'> & { readonly database: Database<unknown> }): Promise<void> {
  const isCounted = isRecent(clock.now().getTime())
  let after = ''
  for (;;) {
    const rows = await listInvitationMails(database.read, { after, limit: SWEPT_AT_ONCE })
    const old = rows.filter(({ mails }) => !mails.some(isCounted))
    if (old.length > 0) {
      await database.transaction(async (trx) => {
        for (const row of old) await deleteUnchanged(trx, row)
      })
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.userId
  }
}

/** A mail waits for an hour at most. One that lies further ahead was dated by a clock that was ahead. */
function isRecent(now: number): (mail: InvitationMail) => boolean {
  return ({ at }) => at > now - DAY_MS && at <= now + HOUR_MS
}
