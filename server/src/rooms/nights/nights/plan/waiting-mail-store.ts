import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import type { DueTable } from '@marquee/platform/queue/store'

import type { NightKey } from '../night/store.ts'

export type NightMailTables = {
  night_mail: {
    watchlist_id: string
    night_id: string
    user_id: string
    username: string
    /** Who made the latest change. */
    changed_by: string
    /** When the calendar of the reader still has the night; null if it has no entry. */
    was_at: string | null
    due_at: number
  }
}
export type WaitingMail = NightMailTables['night_mail']

const tables = withTables<NightMailTables>

/** Mails about changed nights that wait for the end of quiet hours: one for each night and reader. */
export const WAITING_NIGHT_MAILS: DueTable<WaitingMail> = {
  name: 'night_mail',
  key: ['watchlist_id', 'night_id', 'user_id'],
  lane: 1,
}

/** Adds mails of members who have none waiting for their nights. */
export async function insertWaitingMails(trx: AnyDb, mails: readonly WaitingMail[]): Promise<void> {
  if (mails.length > 0) await tables(trx).insertInto('night_mail').values(mails).execute()
}

/** Removes what waits to be mailed about a night. */
export async function takeWaitingMails(trx: AnyDb, { watchlistId, id }: NightKey): Promise<WaitingMail[]> {
  return await tables(trx)
    .deleteFrom('night_mail')
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .returningAll()
    .execute()
}

/** Removes a mail that is due. Another process that does the same gets nothing. */
export async function takeDueMail(
  trx: AnyDb,
  { watchlist_id, night_id, user_id }: Pick<WaitingMail, 'watchlist_id' | 'night_id' | 'user_id'>,
  now: Date,
): Promise<WaitingMail | undefined> {
  return await tables(trx)
    .deleteFrom('night_mail')
    .where('watchlist_id', '=', watchlist_id)
    .where('night_id', '=', night_id)
    .where('user_id', '=', user_id)
    .where('due_at', '<=', now.getTime())
    .returningAll()
    .executeTakeFirst()
}

/** Deletes what waits for former members. */
export async function deleteWaitingMails(trx: AnyDb, watchlistId: string, userIds: readonly string[]): Promise<void> {
  await tables(trx)
    .deleteFrom('night_mail')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(trx, sql.ref('user_id'), userIds))
    .execute()
}
