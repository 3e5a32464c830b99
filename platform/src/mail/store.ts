import { sql } from 'kysely'

import { type AnyDb, withTables } from '../database/database.ts'
import type { DueTable } from '../queue/store.ts'
import { type MailCalendar, type MailMessage, type MailOrigin, NO_RECIPIENT } from './message.ts'

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
    is_urgent: number
    /** A `MailOrigin` as JSON. */
    origin: string | null
  }
}

export type MailRow = MailTables['mail_outbox']

export const WAITING_MAILS: DueTable<MailRow> = {
  name: 'mail_outbox',
  key: ['id'],
  lane: 0,
  laneOf: ({ id, recipient }) => (recipient === NO_RECIPIENT ? id : recipient.toLowerCase()),
  laneName: sql<string>`case when recipient = ${sql.lit(NO_RECIPIENT)} then id else lower(recipient) end`,
  attempts: 'attempts',
  claimedBy: 'claimed_by',
  urgent: 'is_urgent',
}

type Content = Pick<MailRow, 'recipient' | 'subject' | 'text_body' | 'html_body' | 'calendar' | 'unsubscribe_url'>

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

export function messageOf(content: Content): MailMessage {
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

function originText(origin: MailOrigin | undefined): string | null {
  return origin === undefined ? null : JSON.stringify(origin)
}

export async function addMail(
  db: AnyDb,
  mail: {
    id: string
    message: MailMessage
    now: Date
    dueAt: Date
    isUrgent?: boolean | undefined
    origin?: MailOrigin | undefined
  },
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
      is_urgent: mail.isUrgent === true ? 1 : 0,
      origin: originText(mail.origin),
    })
    .execute()
}

/** Replaces the message of a waiting mail; false if the mail is being sent or was sent. */
export async function replaceMail(db: AnyDb, id: string, message: MailMessage, origin?: MailOrigin): Promise<boolean> {
  const { numUpdatedRows } = await withTables<MailTables>(db)
    .updateTable('mail_outbox')
    .set({ ...contentOf(message), origin: originText(origin) })
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

export async function removeMail(db: AnyDb, id: string): Promise<void> {
  await withTables<MailTables>(db).deleteFrom('mail_outbox').where('id', '=', id).execute()
}
