import { sql } from 'kysely'

import type { NotificationKind } from '@marquee/contract/entities/notification'
import { MAX_NOTIFICATIONS } from '@marquee/contract/limits'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

import type { ActivityRow } from '../activities/service.ts'

export type NotificationRow = Pick<ActivityRow, 'watchlist_id' | 'actor' | 'card_id' | 'starts_at' | 'created_at'> & {
  user_id: string
  id: string
  kind: NotificationKind
  is_read: number
  /** 0 if it is only mailed or pushed. */
  is_listed: number
}

export type NotificationTables = { notification: NotificationRow }

/** The watchlists whose notifications a user may read: as a member, and as an invitee only `invited`. */
export type Readable = { readonly memberOf: readonly string[]; readonly invitedTo: readonly string[] }

const tables = withTables<NotificationTables>

/**
 * Adds one notification for each of these users, all with the same id, and removes those beyond the number that users keep:
 * two that are added at once do not see each other.
 */
export async function insertNotifications(db: AnyDb, rows: readonly NotificationRow[]): Promise<void> {
  const [first] = rows
  if (!first) return
  await tables(db).insertInto('notification').values(rows).execute()
  const userIds = rows.map(({ user_id: userId }) => userId)
  await tables(db)
    .deleteFrom('notification')
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .where(
      sql<boolean>`(user_id, id) in (select old.user_id, old.id from (
        select added.user_id, (
          select kept.id from notification as kept where kept.user_id = added.user_id
          order by kept.id desc limit 1 offset ${sql.lit(MAX_NOTIFICATIONS)}
        ) as id from notification as added
        where ${isOneOf(db, sql.ref('added.user_id'), userIds)} and added.id = ${first.id}
      ) as newest_old cross join notification as old
      where old.user_id = newest_old.user_id and old.id <= newest_old.id)`,
    )
    .execute()
}

/** The notifications that a user may read, newest first: the first ones, or those after `after`. */
export async function findPage(
  db: AnyDb,
  userId: string,
  readable: Readable,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<NotificationRow[]> {
  return await listedOf(db, userId, readable)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** What the unread notifications of a user are about, and how many there are of each, without invitations. */
export async function listUnreadTopics(
  db: AnyDb,
  userId: string,
  readable: Readable,
): Promise<(Pick<NotificationRow, 'watchlist_id' | 'card_id'> & { count: number })[]> {
  return await listedOf(db, userId, readable)
    .select((eb) => ['watchlist_id', 'card_id', eb.fn.countAll<number>().as('count')])
    .where('is_read', '=', 0)
    .where('kind', '<>', 'invited')
    .groupBy(['watchlist_id', 'card_id'])
    .execute()
}

/** Those of the notifications that the user may read and has not read, newest first. */
export async function findUnreadRows(
  db: AnyDb,
  userId: string,
  readable: Readable,
  ids: readonly string[],
): Promise<NotificationRow[]> {
  return await readableOf(db, userId, readable)
    .selectAll()
    .where(isOneOf(db, sql.ref('id'), ids))
    .where('is_read', '=', 0)
    .orderBy('id', 'desc')
    .execute()
}

/** False if the user has no such notification. */
export async function markRead(db: AnyDb, userId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('notification')
    .set({ is_read: 1 })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function markReadUpTo(db: AnyDb, userId: string, id: string): Promise<void> {
  await tables(db)
    .updateTable('notification')
    .set({ is_read: 1 })
    .where('user_id', '=', userId)
    .where('id', '<=', id)
    .where('is_read', '=', 0)
    .where('is_listed', '=', 1)
    .execute()
}

/** Takes those of a watchlist that the user has seen since this time off the list; false if there are none. */
export async function markSeen(
  db: AnyDb,
  userId: string,
  { watchlistId, since, kinds }: { watchlistId: string; since: string; kinds: readonly NotificationKind[] },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('notification')
    .set({ is_read: 1, is_listed: 0 })
    .where('user_id', '=', userId)
    .where('watchlist_id', '=', watchlistId)
    .where('kind', 'in', kinds)
    .where('is_read', '=', 0)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Marks the notification of an invitation that was answered as read. */
export const markInvitationRead = prepared<{ userId: string; watchlistId: string }, unknown>((db, value) =>
  tables(db)
    .updateTable('notification')
    .set({ is_read: 1 })
    .where('user_id', '=', value('userId'))
    .where('watchlist_id', '=', value('watchlistId'))
    .where('kind', '=', 'invited'),
)

/** All notifications of a user, oldest first. */
export async function listAll(db: AnyDb, userId: string): Promise<NotificationRow[]> {
  return await tables(db).selectFrom('notification').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

/** Deletes all notifications of a user, or those of one watchlist. */
export async function deleteNotifications(db: AnyDb, userId: string, watchlistId?: string): Promise<void> {
  const all = tables(db).deleteFrom('notification').where('user_id', '=', userId)
  await (watchlistId === undefined ? all : all.where('watchlist_id', '=', watchlistId)).execute()
}

function listedOf(db: AnyDb, userId: string, readable: Readable) {
  return readableOf(db, userId, readable).where('is_listed', '=', 1)
}

function readableOf(db: AnyDb, userId: string, { memberOf, invitedTo }: Readable) {
  return tables(db)
    .selectFrom('notification')
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([
        isOneOf(db, sql.ref('watchlist_id'), memberOf),
        eb.and([eb('kind', '=', 'invited'), isOneOf(db, sql.ref('watchlist_id'), invitedTo)]),
      ]),
    )
}
