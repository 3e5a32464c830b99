import { type AnyDb, withTables } from '@marquee/platform/database/database'

export type NightFeedTables = {
  night_feed: { watchlist_id: string; user_id: string; token_hash: string; created_at: string }
}

type FeedKey = { readonly watchlistId: string; readonly userId: string }

const tables = withTables<NightFeedTables>

/** Saves the address of a member's calendar; it replaces an earlier one. */
export async function saveFeed(db: AnyDb, feed: NightFeedTables['night_feed']): Promise<void> {
  await tables(db)
    .insertInto('night_feed')
    .values(feed)
    .onConflict((conflict) =>
      conflict
        .columns(['watchlist_id', 'user_id'])
        .doUpdateSet({ token_hash: feed.token_hash, created_at: feed.created_at }),
    )
    .execute()
}

export async function findFeedTime(db: AnyDb, { watchlistId, userId }: FeedKey): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('night_feed')
    .select('created_at')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.created_at
}

/** The member with this address. */
export async function findFeedOwner(db: AnyDb, watchlistId: string, tokenHash: string): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('night_feed')
    .select('user_id')
    .where('watchlist_id', '=', watchlistId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.user_id
}

export async function deleteFeed(db: AnyDb, { watchlistId, userId }: FeedKey): Promise<void> {
  await tables(db)
    .deleteFrom('night_feed')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .execute()
}
