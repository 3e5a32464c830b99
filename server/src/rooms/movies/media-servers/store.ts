import { type RawBuilder, sql } from 'kysely'

import type { MediaServer, MediaServerFaultKind, MediaServerKind } from '@marquee/contract/entities/media-server'
import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import { isInList, isOneOf, rowsOfJson, type TextList, textList } from '@marquee/platform/database/json'
import { prepared, preparedFirst } from '@marquee/platform/database/prepared'
import type { DueTable } from '@marquee/platform/queue/store'

export type MediaTables = {
  media_server: {
    watchlist_id: string
    id: string
    kind: MediaServerKind
    name: string
    machine_id: string
    host: string
    open_url: string | null
    target: string
    state: MediaServer['state']
    fault: MediaServerFaultKind | null
    seen_at: string | null
    read_at: string | null
    movies: number | null
    /** The list that counts; null until the first one is complete. */
    list_id: string | null
    created_at: string
    creator_id: string
    due_at: number
    attempts: number
    claimed_by: string | null
  }
  /** A list of the movies of a server. With `due_at` it no longer counts, and is removed. */
  media_list: { watchlist_id: string; id: string; server_id: string; due_at: number | null }
  media_movie: MovieRow
}

export type ServerRow = MediaTables['media_server']
export type ListRow = MediaTables['media_list']
export type MovieRow = {
  watchlist_id: string
  list_id: string
  movie_key: string
  item_id: string
  year: number | null
}
export type ServerKey = { readonly watchlistId: string; readonly serverId: string }

const tables = withTables<MediaTables>

/** How the key of a title begins, and what follows all of these keys. */
export const TITLE = 'title:'
const BEHIND_TITLES = 'title;'

/** Servers wait for their next reading. Each has its own lane. */
export const WAITING_READINGS: DueTable<ServerRow> = {
  name: 'media_server',
  key: ['watchlist_id', 'id'],
  lane: 2,
  thenBy: 'id',
  attempts: 'attempts',
  claimedBy: 'claimed_by',
}

/** Lists that wait for their removal. */
export const REMOVED_LISTS: DueTable<ListRow> = {
  name: 'media_list',
  key: ['watchlist_id', 'id'],
  lane: 2,
  thenBy: 'id',
}

export async function insertServer(db: AnyDb, server: ServerRow): Promise<void> {
  await tables(db).insertInto('media_server').values(server).execute()
}

/** In the order in which they were connected. */
export async function listServerRows(db: AnyDb, watchlistId: string): Promise<ServerRow[]> {
  return await tables(db)
    .selectFrom('media_server')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** One or none: only the first is looked up. */
const numberOfTitles = sql<number>`case when exists (
  select 1 from media_movie where media_movie.watchlist_id = media_server.watchlist_id
    and media_movie.list_id = media_server.list_id
    and movie_key >= ${sql.lit(TITLE)} and movie_key < ${sql.lit(BEHIND_TITLES)}
) then 1 else 0 end`

const listsOf = prepared<{ watchlistId: string }, { list_id: string; titles: number }>((db, value) =>
  tables(db)
    .selectFrom('media_server')
    .select(['list_id', numberOfTitles.as('titles')])
    .$narrowType<{ list_id: string }>()
    .where('watchlist_id', '=', value('watchlistId'))
    .where('list_id', 'is not', null),
)

/** A list that counts, and whether it has movies without an id, which are found by their title. */
export type ReadList = { readonly listId: string; readonly hasTitles: boolean }

/** The lists of a watchlist that count. */
export async function listReadLists(db: AnyDb, watchlistId: string): Promise<ReadList[]> {
  const rows = await listsOf(db, { watchlistId })
  return rows.map(({ list_id: listId, titles }) => ({ listId, hasTitles: titles > 0 }))
}

export async function findServer(db: AnyDb, { watchlistId, serverId }: ServerKey): Promise<ServerRow | undefined> {
  return await tables(db)
    .selectFrom('media_server')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', serverId)
    .executeTakeFirst()
}

const giverOf = preparedFirst<ServerKey, { creator_id: string }>((db, value) =>
  tables(db)
    .selectFrom('media_server')
    .select('creator_id')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('id', '=', value('serverId')),
)

/** The user who gave the key of a server; undefined if there is no such server. */
export async function findKeyGiver(db: AnyDb, key: ServerKey): Promise<string | undefined> {
  return (await giverOf(db, key))?.creator_id
}

export async function saveServer(
  db: AnyDb,
  { watchlistId, serverId }: ServerKey,
  change: Partial<Omit<ServerRow, 'watchlist_id' | 'id'>>,
): Promise<void> {
  await tables(db)
    .updateTable('media_server')
    .set(change)
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', serverId)
    .execute()
}

/** Makes the reading of a server due, unless it is in progress. */
export async function makeDue(db: AnyDb, { watchlistId, serverId }: ServerKey, dueAt: number): Promise<void> {
  await makingDue(db, watchlistId, dueAt).where('id', '=', serverId).execute()
}

/** The same for all servers of a watchlist. */
export async function makeAllDue(db: AnyDb, watchlistId: string, dueAt: number): Promise<void> {
  await makingDue(db, watchlistId, dueAt).execute()
}

function makingDue(db: AnyDb, watchlistId: string, dueAt: number) {
  return tables(db)
    .updateTable('media_server')
    .set({ due_at: dueAt, state: 'reading' })
    .where('watchlist_id', '=', watchlistId)
    .where('claimed_by', 'is', null)
}

/** Whether a reading still has its claim, which it keeps until the transaction ends. */
export async function holdsClaim(trx: AnyDb, claimed: ServerRow): Promise<boolean> {
  const row = await tables(trx)
    .selectFrom('media_server')
    .select('id')
    .where('watchlist_id', '=', claimed.watchlist_id)
    .where('id', '=', claimed.id)
    .where('claimed_by', '=', claimed.claimed_by)
    // SQLite runs one transaction after the other.
    .$if(dialectOf(trx) === 'postgres', (query) => query.forKeyShare())
    .executeTakeFirst()
  return row !== undefined
}

/** Its lists no longer count from now on, and are removed in the background. */
export async function deleteServer(db: AnyDb, key: ServerKey, now: number): Promise<void> {
  await tables(db)
    .deleteFrom('media_server')
    .where('watchlist_id', '=', key.watchlistId)
    .where('id', '=', key.serverId)
    .execute()
  await dropLists(db, key, { except: null, now })
}

export async function insertList(db: AnyDb, list: ListRow): Promise<void> {
  await tables(db).insertInto('media_list').values(list).execute()
}

/** Has all lists of a server but one removed. */
export async function dropLists(
  db: AnyDb,
  { watchlistId, serverId }: ServerKey,
  { except, now }: { except: string | null; now: number },
): Promise<void> {
  await tables(db)
    .updateTable('media_list')
    .set({ due_at: now })
    .where('watchlist_id', '=', watchlistId)
    .where('server_id', '=', serverId)
    .where('due_at', 'is', null)
    .$if(except !== null, (query) => query.where('id', '!=', except ?? ''))
    .execute()
}

const MOVIE_COLUMNS = ['watchlist_id', 'list_id', 'movie_key', 'item_id', 'year'] as const

/** Sends all rows as one JSON value. Rows that exist already are skipped. */
export async function insertMovies(db: AnyDb, rows: readonly MovieRow[]): Promise<void> {
  const source = rowsOfJson<MovieRow>(db, { table: 'media_movie', columns: MOVIE_COLUMNS, json: JSON.stringify(rows) })
  await tables(db)
    .insertInto('media_movie')
    .columns([...MOVIE_COLUMNS])
    // SQLite would read ON as part of a join without a condition in front of it.
    .expression(sql<MovieRow>`${source} where true`)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The movies in some lists that have one of the keys. */
export async function findMovies(
  db: AnyDb,
  watchlistId: string,
  { lists, keys }: { lists: readonly string[]; keys: readonly string[] },
): Promise<Omit<MovieRow, 'watchlist_id'>[]> {
  return await tables(db)
    .selectFrom('media_movie')
    .select(['list_id', 'movie_key', 'item_id', 'year'])
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('list_id'), lists))
    .where(isOneOf(db, sql.ref('movie_key'), keys))
    .orderBy('item_id')
    .execute()
}

const namedIn = prepared<
  { watchlistId: string; lists: TextList; keys: TextList },
  Pick<MovieRow, 'movie_key' | 'item_id' | 'year'>
>((db, value) =>
  tables(db)
    .selectFrom('media_movie')
    .select(['movie_key', 'item_id', 'year'])
    .where('watchlist_id', '=', value('watchlistId'))
    .where(isInList(db, sql.ref('list_id'), value('lists')))
    .where(isInList(db, sql.ref('movie_key'), value('keys'))),
)

/** The same in any order, whichever of the lists has them. */
export async function findNamed(
  db: AnyDb,
  watchlistId: string,
  { lists, keys }: { lists: readonly string[]; keys: readonly string[] },
): Promise<Pick<MovieRow, 'movie_key' | 'item_id' | 'year'>[]> {
  return await namedIn(db, { watchlistId, lists: textList(db, lists), keys: textList(db, keys) })
}

/**
 * In a statement that selects from `card`: true if the lists have an id of the card. A join, or a condition that a database
 * may turn into one, reads all movies of a list for each card in some plans. This one looks up each id.
 */
export function hasListedId(db: AnyDb, lists: TextList): RawBuilder<boolean> {
  const isInLists = isInList(db, sql.ref('listed.list_id'), lists)
  const found =
    dialectOf(db) === 'sqlite'
      ? sql`from json_each(card.movie, '$.ids') as id cross join media_movie as listed
          where listed.watchlist_id = card.watchlist_id and ${isInLists} and listed.movie_key = id.key || ':' || id.value`
      : sql`from media_movie as listed
          where listed.watchlist_id = card.watchlist_id and ${isInLists} and listed.movie_key = any(array(
            select id.key || ':' || id.value from json_each_text(card.movie::json -> 'ids') as id))`
  return sql<boolean>`case when exists (select 1 ${found}) then 1 else 0 end = 1`
}

/** Removes movies of a list up to a key, so that a statement never looks at more of them. False once there are none. */
export async function removeMovies(db: AnyDb, list: ListRow, limit: number): Promise<boolean> {
  const { watchlist_id: watchlistId, id } = list
  const last = await tables(db)
    .selectFrom('media_movie')
    .select('movie_key')
    .where('watchlist_id', '=', watchlistId)
    .where('list_id', '=', id)
    .orderBy('movie_key')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  await tables(db)
    .deleteFrom('media_movie')
    .where('watchlist_id', '=', watchlistId)
    .where('list_id', '=', id)
    .$if(last !== undefined, (query) => query.where('movie_key', '<=', last?.movie_key ?? ''))
    .execute()
  return last !== undefined
}

export async function deleteList(db: AnyDb, { watchlist_id: watchlistId, id }: ListRow): Promise<void> {
  await tables(db).deleteFrom('media_list').where('watchlist_id', '=', watchlistId).where('id', '=', id).execute()
}
