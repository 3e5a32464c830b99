import { sql, type ValueExpression } from 'kysely'

import type { NotificationKind } from '@marquee/contract/entities/notification'
import { MAX_NOTIFICATIONS } from '@marquee/contract/limits'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

export type ActivityRow = {
  watchlist_id: string
  id: string
  kind: NotificationKind
  actor: string | null
  invitee_id: string | null
  card_id: string | null
  comment_id: string | null
  night_id: string | null
  starts_at: string | null
  created_at: string
  due_at: number
}

export type NotificationRow = Pick<
  ActivityRow,
  'watchlist_id' | 'kind' | 'actor' | 'card_id' | 'starts_at' | 'created_at'
> & { user_id: string; id: string; is_read: number }

export type NotificationTables = { activity: ActivityRow; notification: NotificationRow }

/** The watchlists whose notifications a user may read: as a member, and as an invitee only `invited`. */
export type Readable = { readonly memberOf: readonly string[]; readonly invitedTo: readonly string[] }

const tables = withTables<NotificationTables>

type ActivityValue = <K extends Exclude<keyof ActivityRow, 'card_id'>>(name: K) => ActivityRow[K]

/** The statement that records an activity, for `prepared`. `cardId` may be found by a part of the statement. */
export function activityInsert(
  db: AnyDb,
  value: ActivityValue,
  cardId: ValueExpression<NotificationTables, 'activity', string | null>,
) {
  return tables(db)
    .insertInto('activity')
    .values({
      watchlist_id: value('watchlist_id'),
      id: value('id'),
      kind: value('kind'),
      actor: value('actor'),
      invitee_id: value('invitee_id'),
      card_id: cardId,
      comment_id: value('comment_id'),
      night_id: value('night_id'),
      starts_at: value('starts_at'),
      created_at: value('created_at'),
      due_at: value('due_at'),
    })
}

export const insertActivity = prepared<ActivityRow, unknown>((db, value) => activityInsert(db, value, value('card_id')))

/** Deletes the decisions about a card of which no notifications are made yet. */
export const deleteDecisions = prepared<{ watchlistId: string; cardId: string }, unknown>((db, value) =>
  tables(db)
    .deleteFrom('activity')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where(sql<boolean>`kind in ('accepted', 'declined')`),
)

/** Deletes the reminders of a night. */
export async function deleteReminders(db: AnyDb, watchlistId: string, nightId: string): Promise<void> {
  await tables(db)
    .deleteFrom('activity')
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', nightId)
    .where('kind', 'in', ['night-tomorrow', 'night-starting'])
    .execute()
}

/** The activity that has been due longest. */
export async function findDue(db: AnyDb, now: Date): Promise<ActivityRow | undefined> {
  return await tables(db)
    .selectFrom('activity')
    .selectAll()
    .where('due_at', '<=', now.getTime())
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
}

export async function nextDueAt(db: AnyDb): Promise<number | undefined> {
  const row = await tables(db).selectFrom('activity').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row?.due_at
}

/** Removes an activity; false if another process has done so. */
export async function takeActivity(
  db: AnyDb,
  { watchlist_id: watchlistId, id }: Pick<ActivityRow, 'watchlist_id' | 'id'>,
): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('activity')
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function postponeActivity(db: AnyDb, { watchlist_id, id }: ActivityRow, dueAt: number): Promise<void> {
  await tables(db)
    .updateTable('activity')
    .set({ due_at: dueAt })
    .where('watchlist_id', '=', watchlist_id)
    .where('id', '=', id)
    .execute()
}

/** Adds one notification for each of these users, all with the same id, and removes what is more than they keep. */
export async function insertNotifications(db: AnyDb, rows: readonly NotificationRow[]): Promise<void> {
  const [first] = rows
  if (!first) return
  await tables(db).insertInto('notification').values(rows).execute()
  const userIds = rows.map(({ user_id: userId }) => userId)
  await tables(db)
    .deleteFrom('notification')
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .where(
      sql<boolean>`(user_id, id) in (select added.user_id, (
        select kept.id from notification as kept where kept.user_id = added.user_id
        order by kept.id desc limit 1 offset ${sql.lit(MAX_NOTIFICATIONS)}
      ) from notification as added where ${isOneOf(db, sql.ref('added.user_id'), userIds)} and added.id = ${first.id})`,
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
  return await notificationsOf(db, userId, readable)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countUnreadOf(db: AnyDb, userId: string, readable: Readable): Promise<number> {
  const { count } = await notificationsOf(db, userId, readable)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_read', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
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
    .execute()
}

/** Marks the notification of an invitation as read, which was answered. */
export async function markInvitationRead(db: AnyDb, userId: string, watchlistId: string): Promise<void> {
  await tables(db)
    .updateTable('notification')
    .set({ is_read: 1 })
    .where('user_id', '=', userId)
    .where('watchlist_id', '=', watchlistId)
    .where('kind', '=', 'invited')
    .execute()
}

/** All notifications of a user, oldest first. */
export async function listAll(db: AnyDb, userId: string): Promise<NotificationRow[]> {
  return await tables(db).selectFrom('notification').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

export async function deleteNotifications(db: AnyDb, userId: string): Promise<void> {
  await tables(db).deleteFrom('notification').where('user_id', '=', userId).execute()
}

function notificationsOf(db: AnyDb, userId: string, { memberOf, invitedTo }: Readable) {
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
