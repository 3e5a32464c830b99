import { sql } from 'kysely'

import type { MediaServerFaultKind } from '@marquee/contract/entities/media-server'
import type { Askers, MovieRequestState } from '@marquee/contract/entities/movie-request'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import type { DueTable } from '@marquee/platform/queue/store'

export type MovieRequestTables = {
  /** The server that a watchlist asks for movies. `failures` in a row decide when it is asked again. */
  request_server: {
    watchlist_id: string
    host: string
    target: string
    askers: Askers
    fault: MediaServerFaultKind | null
    failures: number
    seen_at: string
    /** Who gave the key. */
    creator_id: string
  }
  /** A movie that was asked for. Without `due_at` nothing more happens to it. */
  movie_request: {
    watchlist_id: string
    tmdb_id: string
    /** The card of the feed that showed the movie. */
    card_id: string
    asker_id: string
    state: MovieRequestState
    /** When the server had it; null until then. */
    sent_at: string | null
    due_at: number | null
    attempts: number
    claimed_by: string | null
  }
}

export type ServerRow = MovieRequestTables['request_server']
export type RequestRow = MovieRequestTables['movie_request']

const tables = withTables<MovieRequestTables>

/** Open requests wait to be sent, or for the next look. Those of one watchlist go one after the other, as they have one server. */
export const OPEN_REQUESTS: DueTable<RequestRow> = {
  name: 'movie_request',
  key: ['watchlist_id', 'tmdb_id'],
  lane: 1,
  thenBy: 'tmdb_id',
  attempts: 'attempts',
  claimedBy: 'claimed_by',
}

/** Literal, not bound: the index is partial. */
const IS_OPEN = sql<boolean>`due_at is not null`

export async function findRequestServer(db: AnyDb, watchlistId: string): Promise<ServerRow | undefined> {
  return await tables(db)
    .selectFrom('request_server')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .executeTakeFirst()
}

export async function insertRequestServer(db: AnyDb, server: ServerRow): Promise<void> {
  await tables(db).insertInto('request_server').values(server).execute()
}

export async function saveRequestServer(
  db: AnyDb,
  watchlistId: string,
  change: Partial<Omit<ServerRow, 'watchlist_id'>>,
): Promise<void> {
  await tables(db).updateTable('request_server').set(change).where('watchlist_id', '=', watchlistId).execute()
}

/** What was asked for goes with it. False if there is none. */
export async function deleteRequestServerRow(db: AnyDb, watchlistId: string): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('request_server')
    .where('watchlist_id', '=', watchlistId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function insertRequest(db: AnyDb, request: RequestRow): Promise<void> {
  await tables(db).insertInto('movie_request').values(request).execute()
}

/** What became of those of the movies that were asked for. */
export async function listRequests(
  db: AnyDb,
  watchlistId: string,
  tmdbIds: readonly string[],
): Promise<Pick<RequestRow, 'tmdb_id' | 'state'>[]> {
  return await tables(db)
    .selectFrom('movie_request')
    .select(['tmdb_id', 'state'])
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('tmdb_id'), tmdbIds))
    .execute()
}

/** The movies that a user asked for. */
export async function listRequestsBy(db: AnyDb, watchlistId: string, userId: string): Promise<RequestRow[]> {
  return await tables(db)
    .selectFrom('movie_request')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('asker_id', '=', userId)
    .orderBy('tmdb_id')
    .execute()
}

export async function countOpen(db: AnyDb, watchlistId: string): Promise<number> {
  const { open } = await tables(db)
    .selectFrom('movie_request')
    .select(({ fn }) => fn.countAll().as('open'))
    .where('watchlist_id', '=', watchlistId)
    .where(IS_OPEN)
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** Postpones all open requests of a watchlist until a time, unless they wait longer or are being sent. */
export async function postponeRequests(db: AnyDb, watchlistId: string, until: number): Promise<void> {
  await tables(db)
    .updateTable('movie_request')
    .set({ due_at: until })
    .where('watchlist_id', '=', watchlistId)
    .where(IS_OPEN)
    .where('due_at', '<', until)
    .where('claimed_by', 'is', null)
    .execute()
}

/** Makes all open requests of a watchlist due. */
export async function hastenRequests(db: AnyDb, watchlistId: string, now: number): Promise<void> {
  await tables(db)
    .updateTable('movie_request')
    .set({ due_at: now })
    .where('watchlist_id', '=', watchlistId)
    .where(IS_OPEN)
    .where('claimed_by', 'is', null)
    .execute()
}
