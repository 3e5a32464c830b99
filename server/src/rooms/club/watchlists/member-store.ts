import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import { prepared } from '@marquee/platform/database/prepared'

import type { WatchlistTables } from './store.ts'

const tables = withTables<WatchlistTables>

type ListedMember = Pick<WatchlistTables['member'], 'user_id' | 'username' | 'joined_at'>

const membersOf = prepared<{ watchlistId: string }, ListedMember, { isKept: boolean }>((db, value, { isKept }) =>
  tables(db)
    .selectFrom('member')
    .select(['user_id', 'username', 'joined_at'])
    .where('watchlist_id', '=', value('watchlistId'))
    // SQLite runs one transaction after the other.
    .$if(isKept && dialectOf(db) === 'postgres', (query) => query.forKeyShare()),
)

/** At most MAX_MEMBERS_PER_WATCHLIST. */
export async function listMembers(db: AnyDb, watchlistId: string): Promise<ListedMember[]> {
  return await membersOf(db, { watchlistId }, { isKept: false })
}

/** The members, none of whom can leave before the transaction ends. Other writers of the watchlist do not wait. */
export async function keepMembers(trx: AnyDb, watchlistId: string): Promise<ListedMember[]> {
  return await membersOf(trx, { watchlistId }, { isKept: true })
}

export async function countMembers(db: AnyDb, watchlistId: string): Promise<number> {
  const row = await tables(db)
    .selectFrom('watchlist')
    .select('member_count')
    .where('id', '=', watchlistId)
    .executeTakeFirst()
  return row?.member_count ?? 0
}

/** Removes a member, by watchlist and by user. */
export async function deleteMember(db: AnyDb, watchlistId: string, userId: string): Promise<void> {
  await tables(db)
    .updateTable('watchlist')
    .set((eb) => ({ member_count: eb('member_count', '-', 1) }))
    .where('id', '=', watchlistId)
    .execute()
  await tables(db).deleteFrom('member').where('watchlist_id', '=', watchlistId).where('user_id', '=', userId).execute()
  await tables(db)
    .deleteFrom('person_watchlist')
    .where('user_id', '=', userId)
    .where('watchlist_id', '=', watchlistId)
    .execute()
}
