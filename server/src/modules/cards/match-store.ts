import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'

import type { CardTables } from './store.ts'

/** More cards with one title are not looked at. */
const MOST = 50

export type MatchRow = Pick<CardTables['card'], 'id' | 'status' | 'status_changed_at' | 'movie' | 'creator_id'>

function selectCards(db: AnyDb, watchlistId: string) {
  return withTables<CardTables>(db)
    .selectFrom('card')
    .select(['id', 'status', 'status_changed_at', 'movie', 'creator_id'])
    .where('watchlist_id', '=', watchlistId)
    .limit(MOST)
}

export async function findByMovie(db: AnyDb, watchlistId: string, keys: readonly string[]): Promise<MatchRow[]> {
  return await selectCards(db, watchlistId).where('movie_key', 'in', keys).execute()
}

export async function findByTitle(db: AnyDb, watchlistId: string, keys: readonly string[]): Promise<MatchRow[]> {
  return await selectCards(db, watchlistId)
    .where(sql<string>`coalesce(title_key, lower(title))`, 'in', keys)
    .execute()
}
