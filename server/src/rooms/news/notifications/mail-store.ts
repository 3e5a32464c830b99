import { type AnyDb, withTables } from '@marquee/platform/database/database'
import type { DueTable } from '@marquee/platform/queue/store'

export type NotificationMailTables = {
  notification_mail: { user_id: string; notification_id: string; username: string; due_at: number }
  notification_mail_time: { user_id: string; topic: string; sent_at: number }
}
export type MailRow = NotificationMailTables['notification_mail']
export type MailReader = { readonly userId: string; readonly username: string }

const tables = withTables<NotificationMailTables>

/** Notifications that wait to be mailed. Those of one user are mailed together. */
export const WAITING_MAILS: DueTable<MailRow> = {
  name: 'notification_mail',
  key: ['user_id', 'notification_id'],
  lane: 1,
}

export async function insertMails(db: AnyDb, rows: readonly MailRow[]): Promise<void> {
  if (rows.length > 0) await tables(db).insertInto('notification_mail').values(rows).execute()
}

/** Removes what is due of a user. Another process that does the same gets nothing. Resolves to the ids of the notifications. */
export async function takeDueMails(db: AnyDb, userId: string, now: Date): Promise<string[]> {
  const rows = await tables(db)
    .deleteFrom('notification_mail')
    .where('user_id', '=', userId)
    .where('due_at', '<=', now.getTime())
    .returning('notification_id')
    .execute()
  return rows.map(({ notification_id: id }) => id)
}

/** Makes all that waits due now, because the settings have changed. */
export async function reconsiderMails(db: AnyDb, userId: string, now: Date): Promise<void> {
  await tables(db)
    .updateTable('notification_mail')
    .set({ due_at: now.getTime() })
    .where('user_id', '=', userId)
    .execute()
}

export async function findMailTimes(db: AnyDb, userId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await tables(db)
    .selectFrom('notification_mail_time')
    .select(['topic', 'sent_at'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map(({ topic, sent_at: sentAt }) => [topic, Number(sentAt)]))
}

/**
 * Notes that a mail is sent now; false if the last one on this topic was sent after `since`, also by another process. A mail from
 * the future, by a clock that was ahead, does not count.
 */
export async function claimMailTime(
  db: AnyDb,
  key: { userId: string; topic: string },
  { now, since }: { now: number; since: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto('notification_mail_time')
    .values({ user_id: key.userId, topic: key.topic, sent_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'topic'])
        .doUpdateSet({ sent_at: now })
        .where((is) =>
          is.or([is('notification_mail_time.sent_at', '<=', since), is('notification_mail_time.sent_at', '>', now)]),
        ),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteMails(db: AnyDb, userId: string): Promise<void> {
  await tables(db).deleteFrom('notification_mail').where('user_id', '=', userId).execute()
  await tables(db).deleteFrom('notification_mail_time').where('user_id', '=', userId).execute()
}
