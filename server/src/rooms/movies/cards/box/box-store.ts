import { type RawBuilder, sql } from 'kysely'

import type { DrawFilter } from '@marquee/contract/entities/draw'
import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import { isOneOf, textList } from '@marquee/platform/database/json'
import { preparedFirst } from '@marquee/platform/database/prepared'

import { genrePattern, UNKNOWN_RUNTIME } from '../card/library-keys.ts'
import { type CardKey, type CardMovie, type CardTables, IS_IN_BOX, withMovie } from '../card/store.ts'

/**
 * The one way to what is known about the box. A statement that may read cards of others in the box is here and nowhere else;
 * `tools/checks/box.test.ts` keeps it so. What leaves a call may only be a count, a draw, or whether a movie is in the box.
 */
const tables = withTables<CardTables>

/** A card in the box as a draw sees it. `changeCount` differs in each of its stays in the box. */
export type BoxCard = { id: string; creator: string; changeCount: number }

/** Which cards of the box. Cards that were put back at `restsSince` or later rest. `wantedBy` is a username. */
export type BoxFilter = Omit<DrawFilter, 'unseenBy' | 'watchable'> & {
  restsSince?: string | undefined
  wantedBy?: string | undefined
  exceptIds?: readonly string[] | undefined
  range?: BoxRange | undefined
}

/** This many slots of the box from one on. After the last slot, the first one follows. */
export type BoxRange = { readonly first: number; readonly length: number; readonly boxCount: number }

function boxOf(db: AnyDb, watchlistId: string, filter: BoxFilter) {
  const { maxRuntime, includeUnknownRuntime = false, withoutGenres = [], restsSince, wantedBy, exceptIds } = filter
  const { range } = filter
  const runtime = sql<boolean>`runtime_minutes <= ${maxRuntime}`
  const conditions = [
    ...(maxRuntime === undefined
      ? []
      : [includeUnknownRuntime ? sql<boolean>`(${runtime} or runtime_minutes = ${UNKNOWN_RUNTIME})` : runtime]),
    ...withoutGenres.map((genre) => sql<boolean>`folded_genres not like ${genrePattern(genre)} escape '\\'`),
    ...(restsSince === undefined
      ? []
      : [sql<boolean>`not (status_change_count > 1 and status_changed_at >= ${restsSince})`]),
    ...(wantedBy === undefined ? [] : [isWantedBy(wantedBy)]),
    ...(exceptIds === undefined ? [] : [sql<boolean>`not ${isOneOf(db, sql.ref('card.id'), exceptIds)}`]),
    ...(range === undefined ? [] : [isInRange(range)]),
  ]
  return tables(db)
    .selectFrom('card')
    .where('card.watchlist_id', '=', watchlistId)
    .where(IS_IN_BOX)
    .where((eb) => eb.and(conditions))
}

function isWantedBy(username: string) {
  return sql<boolean>`(creator_username = ${username} or exists (select 1 from card_wants as w
    where w.watchlist_id = card.watchlist_id and w.card_id = card.id and w.username = ${username}))`
}

function isInRange({ first, length, boxCount }: BoxRange) {
  return sql<boolean>`(selection_index + ${boxCount - first}) % ${boxCount} < ${length}`
}

/** The movies of the cards in a range of the box. */
export async function listMoviesInBox(db: AnyDb, watchlistId: string, range: BoxRange): Promise<CardMovie[]> {
  const rows = await boxOf(db, watchlistId, { range }).select(['card.id as cardId', 'title', 'movie']).execute()
  return rows.map(withMovie)
}

/** Up to `limit` cards in the box, without an order. */
export async function listInBox(db: AnyDb, watchlistId: string, filter: BoxFilter, limit: number): Promise<BoxCard[]> {
  return await boxOf(db, watchlistId, filter)
    .select(['id', 'creator_username as creator', 'status_change_count as changeCount'])
    .limit(limit)
    .execute()
}

export async function countInBox(db: AnyDb, watchlistId: string, filter: BoxFilter): Promise<number> {
  const { count } = await boxOf(db, watchlistId, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** How many cards in the box were put back at `restsSince` or later. */
export async function countPutBack(db: AnyDb, watchlistId: string, restsSince: string): Promise<number> {
  const { count } = await boxOf(db, watchlistId, {})
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(sql<boolean>`status_change_count > 1`)
    .where('status_changed_at', '>=', restsSince)
    .executeTakeFirstOrThrow()
  return count
}

/** The cards of these slots that match the filter. */
export async function findInSlots(
  db: AnyDb,
  watchlistId: string,
  slots: readonly number[],
  filter: BoxFilter,
): Promise<{ id: string; slot: number | null }[]> {
  // SQLite walks all cards of a watchlist for a list of slots, unless the index of the slots has all columns.
  const drawn = tables(db)
    .selectFrom('card as drawn')
    .select('drawn.id')
    .where('drawn.watchlist_id', '=', watchlistId)
    .where('drawn.selection_index', 'is not', null)
    .where('drawn.selection_index', 'in', slots)
  return await boxOf(db, watchlistId, filter)
    .select(['id', 'selection_index as slot'])
    .where('id', 'in', drawn)
    .execute()
}

/** The usernames of those who want matching cards in the box. */
export async function listWanters(db: AnyDb, watchlistId: string, filter: BoxFilter): Promise<string[]> {
  const creators = await boxOf(db, watchlistId, filter).select('creator_username as username').distinct().execute()
  const others = await boxOf(db, watchlistId, filter)
    .innerJoin('card_wants', (join) =>
      join.onRef('card_wants.watchlist_id', '=', 'card.watchlist_id').onRef('card_wants.card_id', '=', 'card.id'),
    )
    .select('card_wants.username')
    .distinct()
    .execute()
  return [...creators, ...others].map(({ username }) => username)
}

/** Those of the cards that are in the box. */
export async function findInBox(
  db: AnyDb,
  watchlistId: string,
  ids: readonly string[],
): Promise<(Pick<BoxCard, 'id' | 'changeCount'> & { slot: number })[]> {
  return await boxOf(db, watchlistId, {})
    .select(['id', 'status_change_count as changeCount', sql<number>`selection_index`.as('slot')])
    .where(isOneOf(db, sql.ref('id'), ids))
    .execute()
}

/** Who wants a card of another member. */
export type OtherWant = { cardId: string; username: string }

/** Who wants cards of others in the box: all of them, or those with these ids. */
export async function listWantsInBox(db: AnyDb, watchlistId: string, ids?: readonly string[]): Promise<OtherWant[]> {
  return await boxOf(db, watchlistId, {})
    .innerJoin('card_wants', (join) =>
      join.onRef('card_wants.watchlist_id', '=', 'card.watchlist_id').onRef('card_wants.card_id', '=', 'card.id'),
    )
    .select(['card_wants.card_id as cardId', 'card_wants.username'])
    .$if(ids !== undefined, (query) => query.where(isOneOf(db, sql.ref('card.id'), ids ?? [])))
    .execute()
}

/** The id of the card in a slot, as part of another statement. */
export function idInSlot(db: AnyDb, { watchlistId, slot }: { watchlistId: string; slot: number }) {
  return tables(db)
    .selectFrom('card')
    .select('card.id')
    .where('card.watchlist_id', '=', watchlistId)
    .where('card.selection_index', '=', slot)
}

/** The taken slots of the box from `from` on. */
export async function listSlots(db: AnyDb, watchlistId: string, from: number): Promise<number[]> {
  const rows = await tables(db)
    .selectFrom('card')
    .select('selection_index as slot')
    .where('watchlist_id', '=', watchlistId)
    .where('selection_index', '>=', from)
    .execute()
  return rows.flatMap(({ slot }) => slot ?? [])
}

const TITLE_KEY = sql<string>`coalesce(title_key, lower(title))`

/** More cards with one title are not looked at. */
const MOST = 50

/** For a hundred movies at once. */
const MOST_AT_ONCE = 5_000

export type MatchRow = Pick<CardTables['card'], 'id' | 'status' | 'status_changed_at' | 'movie' | 'creator_id'>

/**
 * SQLite walks all cards of a watchlist for a list of keys, unless the index of the keys has all columns. So the ids are
 * read first.
 */
async function findByKey(
  db: AnyDb,
  watchlistId: string,
  key: RawBuilder<string>,
  keys: readonly string[],
): Promise<MatchRow[]> {
  const found = tables(db)
    .selectFrom('card as found')
    .select('found.id')
    .where('found.watchlist_id', '=', watchlistId)
    .where(key, 'in', keys)
    .limit(MOST)
  return await tables(db)
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

/**
 * Cards in the box that others created, with one of the keys. Their ids are found first, for each kind of key through its
 * own index.
 */
export async function findOthersInBox(
  db: AnyDb,
  { watchlistId, userId }: { watchlistId: string; userId: string },
  { movieKeys, titleKeys }: { movieKeys: readonly string[]; titleKeys: readonly string[] },
): Promise<OtherCard[]> {
  const ids = sql`${idsByKey(db, watchlistId, sql.ref('found.movie_key'), movieKeys)}
    union all ${idsByKey(db, watchlistId, TITLE_KEY, titleKeys)}`
  return await tables(db)
    .selectFrom('card')
    .select(['id', 'title', 'movie'])
    .where('watchlist_id', '=', watchlistId)
    // The ids come as one unsorted list: otherwise SQLite scans all cards of the watchlist. From an array, PostgreSQL expects
    // few rows.
    .where(dialectOf(db) === 'sqlite' ? sql<boolean>`id in (${ids})` : sql<boolean>`id = any(array(${ids}))`)
    .where('status', '=', 'SUGGESTED')
    .where('creator_id', '<>', userId)
    .orderBy('id')
    .limit(MOST_AT_ONCE)
    .execute()
}

/**
 * PostgreSQL uses no statistics of a partial index, so it expects one card in 200 for each title, and would read all cards for
 * a hundred of them. One look into the index for each key leaves it no choice.
 */
function idsByKey(
  db: AnyDb,
  watchlistId: string,
  key: RawBuilder<string>,
  keys: readonly string[],
): RawBuilder<string> {
  if (dialectOf(db) === 'sqlite') {
    return sql`select found.id from card as found where found.watchlist_id = ${watchlistId} and ${isOneOf(db, key, keys)}`
  }
  return sql`select by_key.id from unnest(${textList(db, keys)}::text[]) as wanted (key) cross join lateral (
    select found.id from card as found where found.watchlist_id = ${watchlistId} and ${key} = wanted.key limit ${sql.lit(MOST)}
  ) as by_key`
}

/** The movie of any card, for its poster. */
export const findMovieOfCard = preparedFirst<CardKey, Pick<CardTables['card'], 'title' | 'movie'>>((db, value) =>
  tables(db)
    .selectFrom('card')
    .select(['title', 'movie'])
    .where('watchlist_id', '=', value('watchlistId'))
    .where('id', '=', value('cardId')),
)
