import { type RawBuilder, sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

import type { CardTables } from './store.ts'

const TITLE_KEY = sql<string>`coalesce(title_key, lower(title))`

/** More cards with one title are not looked at. */
const MOST = 50

/** For a hundred movies at once. */
const MOST_AT_ONCE = 5_000

export type MatchRow = Pick<CardTables['card'], 'id' | 'status' | 'status_changed_at' | 'movie' | 'creator_id'>

/** SQLite walks all cards of a watchlist for a list of keys, unless the index of the keys has all columns. So first the ids. */
async function findByKey(
  db: AnyDb,
  watchlistId: string,
  key: RawBuilder<string>,
  keys: readonly string[],
): Promise<MatchRow[]> {
  const tables = withTables<CardTables>(db)
  const found = tables
    .selectFrom('card as found')
    .select('found.id')
    .where('found.watchlist_id', '=', watchlistId)
    .where(key, 'in', keys)
    .limit(MOST)
  return await tables
    .selectFrom('card')
    .select(['id', 'status', 'status_changed_at', 'movie', 'creator_id'])
    .where('watchlist_id', '=', watchlistId)
    .where('id', 'in', found)
    .execute()
}

export async function findByMovie(db: AnyDb, watchlistId: string, keys: readonly string[]): Promise<MatchRow[]> {
  return await findByKey(db, watchlistId, sql.ref<string>('found.movie_key'), keys)
}

export async function findByTitle(db: AnyDb, watchlistId: string, keys: readonly string[]): Promise<MatchRow[]> {
  return await findByKey(db, watchlistId, TITLE_KEY, keys)
}

export type OtherCard = Pick<CardTables['card'], 'id' | 'title' | 'movie'>

/** Cards in the box that others created, with one of the keys. */
export async function findOthersInBox(
  db: AnyDb,
  { watchlistId, userId }: { watchlistId: string; userId: string },
  { movieKeys, titleKeys }: { movieKeys: readonly string[]; titleKeys: readonly string[] },
): Promise<OtherCard[]> {
  return await withTables<CardTables>(db)
    .selectFrom('card')
    .select(['id', 'title', 'movie'])
    .where('watchlist_id', '=', watchlistId)
    .where('status', '=', 'SUGGESTED')
    .where('creator_id', '<>', userId)
    // Each through its own index.
    .where((eb) =>
      eb.or([
        eb('id', 'in', idsByKey(db, watchlistId, sql.ref('found.movie_key'), movieKeys)),
        eb('id', 'in', idsByKey(db, watchlistId, TITLE_KEY, titleKeys)),
      ]),
    )
    .orderBy('id')
    .limit(MOST_AT_ONCE)
    .execute()
}

function idsByKey(db: AnyDb, watchlistId: string, key: RawBuilder<string>, keys: readonly string[]) {
  return withTables<CardTables>(db)
    .selectFrom('card as found')
    .select('found.id')
    .where('found.watchlist_id', '=', watchlistId)
    .where(isOneOf(db, key, keys))
}
