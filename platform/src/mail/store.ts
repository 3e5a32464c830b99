import { type AnyDb, withTables } from '../database/database.ts'
import type { MailCalendar, MailMessage } from './message.ts'

export type MailTables = {
  mail_outbox: {
    id: string
    recipient: string
    subject: string
    text_body: string
    html_body: string
    /** A `MailCalendar` as JSON. */
    calendar: string | null
    unsubscribe_url: string | null
    created_at: string
    attempts: number
    due_at: number
    claimed_by: string | null
  }
}

/** A process with lapsed claims, and when the last of them lapsed, in milliseconds since 1970. */
export type Claimant = { id: string; lapsedAt: number }

export type QueuedMail = { id: string; attempts: number; message: MailMessage }

const CONTENT = ['recipient', 'subject', 'text_body', 'html_body', 'calendar', 'unsubscribe_url'] as const
type Content = Pick<MailTables['mail_outbox'], (typeof CONTENT)[number]>

function contentOf({ to, subject, text, html, calendar, unsubscribeUrl }: MailMessage): Content {
  return {
    recipient: to,
    subject,
    text_body: text,
    html_body: html,
    calendar: calendar === undefined ? null : JSON.stringify(calendar),
    unsubscribe_url: unsubscribeUrl ?? null,
  }
}

function messageOf(content: Content): MailMessage {
  const {
    recipient: to,
    subject,
    text_body: text,
    html_body: html,
    calendar,
    unsubscribe_url: unsubscribeUrl,
  } = content
  return {
    to,
    subject,
    text,
    html,
    ...(calendar !== null && { calendar: JSON.parse(calendar) as MailCalendar }),
    ...(unsubscribeUrl !== null && { unsubscribeUrl }),
  }
}

export async function addMail(
  db: AnyDb,
  mail: { id: string; message: MailMessage; now: Date; dueAt: Date },
): Promise<void> {
  await withTables<MailTables>(db)
    .insertInto('mail_outbox')
    .values({
      id: mail.id,
      ...contentOf(mail.message),
      created_at: mail.now.toISOString(),
      attempts: 0,
      due_at: mail.dueAt.getTime(),
      claimed_by: null,
    })
    .execute()
}

/** Replaces the message of a waiting mail; false if the mail is being sent or was sent. */
export async function replaceMail(db: AnyDb, id: string, message: MailMessage): Promise<boolean> {
  const { numUpdatedRows } = await withTables<MailTables>(db)
    .updateTable('mail_outbox')
    .set(contentOf(message))
    .where('id', '=', id)
    .where('claimed_by', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes a mail unless it is being sent. */
export async function cancelMail(db: AnyDb, id: string): Promise<void> {
  await withTables<MailTables>(db)
    .deleteFrom('mail_outbox')
    .where('id', '=', id)
    .where('claimed_by', 'is', null)
    .execute()
}

/** How many mails wait or are being sent. */
export async function countMail(db: AnyDb): Promise<number> {
  const row = await withTables<MailTables>(db)
    .selectFrom('mail_outbox')
    .select(({ fn }) => fn.countAll().as('mails'))
    .executeTakeFirstOrThrow()
  return Number(row.mails)
}

export async function nextDueAt(db: AnyDb): Promise<number | undefined> {
  const row = await withTables<MailTables>(db)
    .selectFrom('mail_outbox')
    .select('due_at')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at
}

/** The processes that did not renew a claim in time: they died or lost the database. */
export async function listLateClaimants(db: AnyDb, now: Date): Promise<Claimant[]> {
  const rows = await withTables<MailTables>(db)
    .selectFrom('mail_outbox')
    .select(({ fn }) => ['claimed_by', fn.max('due_at').as('lapsed_at')])
    .where('due_at', '<=', now.getTime())
    .where('claimed_by', 'is not', null)
    .groupBy('claimed_by')
    .execute()
  return rows.map((row) => ({ id: row.claimed_by ?? '', lapsedAt: Number(row.lapsed_at) }))
}

/** Makes every claimed mail due, for a process that is the only one. */
export async function releaseClaims(db: AnyDb, now: Date): Promise<void> {
  await withTables<MailTables>(db)
    .updateTable('mail_outbox')
    .set({ due_at: now.getTime(), claimed_by: null })
    .where('claimed_by', 'is not', null)
    .execute()
}

/**
 * Claims the mails that are due and those claimed by one of `from`. They become due again at `until`, so that no other
 * process sends them before.
 */
export async function claimDueMail(
  db: AnyDb,
  claim: { by: string; now: Date; until: Date; limit: number; from: readonly string[] },
): Promise<QueuedMail[]> {
  const mailDb = withTables<MailTables>(db)
  const due = await mailDb
    .selectFrom('mail_outbox')
    .select(['id', 'attempts', 'due_at'])
    .where('due_at', '<=', claim.now.getTime())
    .where((is) => is.or([is('claimed_by', 'is', null), is('claimed_by', 'in', claim.from)]))
    .orderBy('due_at')
    .limit(claim.limit)
    .execute()
  const claimed: QueuedMail[] = []
  for (const row of due) {
    const content = await mailDb
      .updateTable('mail_outbox')
      .set({ due_at: claim.until.getTime(), attempts: row.attempts + 1, claimed_by: claim.by })
      .where('id', '=', row.id)
      // Skip the mail if a process claimed it or renewed its claim since it was read.
      .where('due_at', '=', row.due_at)
      // Read here, because the message may have been replaced since.
      .returning(CONTENT)
      .executeTakeFirst()
    if (!content) continue
    claimed.push({ id: row.id, attempts: row.attempts + 1, message: messageOf(content) })
  }
  return claimed
}

export async function removeMail(db: AnyDb, id: string): Promise<void> {
  await withTables<MailTables>(db).deleteFrom('mail_outbox').where('id', '=', id).execute()
}

/** Extends the claim of a process. Does nothing if another process has claimed the mail. */
export async function renewClaim(db: AnyDb, claim: { id: string; by: string; until: Date }): Promise<void> {
  await withTables<MailTables>(db)
    .updateTable('mail_outbox')
    .set({ due_at: claim.until.getTime() })
    .where('id', '=', claim.id)
    .where('claimed_by', '=', claim.by)
    .execute()
}

/** Releases the claim of a process. Any process may send the mail from `dueAt` on. */
export async function postponeMail(db: AnyDb, claim: { id: string; by: string; dueAt: Date }): Promise<void> {
  await withTables<MailTables>(db)
    .updateTable('mail_outbox')
    .set({ due_at: claim.dueAt.getTime(), claimed_by: null })
    .where('id', '=', claim.id)
    .where('claimed_by', '=', claim.by)
    .execute()
}
