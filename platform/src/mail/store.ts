import { type AnyDb, withTables } from '../database/database.ts'
import type { MailMessage } from './message.ts'

export type MailTables = {
  mail_outbox: {
    id: string
    recipient: string
    subject: string
    text_body: string
    html_body: string
    created_at: string
    attempts: number
    due_at: number
  }
}

export type QueuedMail = { id: string; attempts: number; message: MailMessage }

export async function addMail(db: AnyDb, mail: { id: string; message: MailMessage; now: Date }): Promise<void> {
  await withTables<MailTables>(db)
    .insertInto('mail_outbox')
    .values({
      id: mail.id,
      recipient: mail.message.to,
      subject: mail.message.subject,
      text_body: mail.message.text,
      html_body: mail.message.html,
      created_at: mail.now.toISOString(),
      attempts: 0,
      due_at: mail.now.getTime(),
    })
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

/**
 * Takes the mails that are due and puts them off until `until`, so that no other process sends them meanwhile: if
 * this one dies they come due again.
 */
export async function claimDueMail(db: AnyDb, claim: { now: Date; until: Date; limit: number }): Promise<QueuedMail[]> {
  const mailDb = withTables<MailTables>(db)
  const due = await mailDb
    .selectFrom('mail_outbox')
    .selectAll()
    .where('due_at', '<=', claim.now.getTime())
    .orderBy('due_at')
    .limit(claim.limit)
    .execute()
  const claimed: QueuedMail[] = []
  for (const row of due) {
    const { numUpdatedRows } = await mailDb
      .updateTable('mail_outbox')
      .set({ due_at: claim.until.getTime(), attempts: row.attempts + 1 })
      .where('id', '=', row.id)
      .where('due_at', '=', row.due_at)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows !== 1n) continue
    claimed.push({
      id: row.id,
      attempts: row.attempts + 1,
      message: { to: row.recipient, subject: row.subject, text: row.text_body, html: row.html_body },
    })
  }
  return claimed
}

export async function removeMail(db: AnyDb, id: string): Promise<void> {
  await withTables<MailTables>(db).deleteFrom('mail_outbox').where('id', '=', id).execute()
}

export async function postponeMail(db: AnyDb, id: string, dueAt: Date): Promise<void> {
  await withTables<MailTables>(db)
    .updateTable('mail_outbox')
    .set({ due_at: dueAt.getTime() })
    .where('id', '=', id)
    .execute()
}
