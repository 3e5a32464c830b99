import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

type ProfileTables = {
  person: { user_id: string; username: string; current_watchlist_id: string | null; avatar_hash: string | null }
}

/** Makes the person's row if there is none. Either way it is locked until the transaction ends. */
export async function savePerson(db: AnyDb, person: { userId: string; username: string }): Promise<void> {
  await withTables<ProfileTables>(db)
    .insertInto('person')
    .values({ user_id: person.userId, username: person.username, current_watchlist_id: null, avatar_hash: null })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ username: person.username }))
    .execute()
}

export async function findCurrentWatchlistId(db: AnyDb, userId: string): Promise<string | undefined> {
  const row = await withTables<ProfileTables>(db)
    .selectFrom('person')
    .select('current_watchlist_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.current_watchlist_id ?? undefined
}

/** These people have not chosen this watchlist any more. */
export async function clearCurrentWatchlistId(
  db: AnyDb,
  userIds: readonly string[],
  watchlistId: string,
): Promise<void> {
  await withTables<ProfileTables>(db)
    .updateTable('person')
    .set({ current_watchlist_id: null })
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .where('current_watchlist_id', '=', watchlistId)
    .execute()
}

export async function saveCurrentWatchlistId(db: AnyDb, userId: string, watchlistId: string): Promise<void> {
  await withTables<ProfileTables>(db)
    .updateTable('person')
    .set({ current_watchlist_id: watchlistId })
    .where('user_id', '=', userId)
    .execute()
}

export async function deletePerson(db: AnyDb, userId: string): Promise<void> {
  await withTables<ProfileTables>(db).deleteFrom('person').where('user_id', '=', userId).execute()
}
