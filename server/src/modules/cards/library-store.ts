import { type RawBuilder, sql } from 'kysely'

import type { LIBRARY_STATUSES, LibrarySort } from '@marquee/contract/rules/library'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

import { isUnratedBy, ratingsOf, seenConditions, type SeenFilter } from '../viewings/service.ts'
import { genrePattern, wordPatterns } from './library-keys.ts'
import { type CardRow, type CardTables, IS_IN_FEED, selectCards } from './store.ts'

export type LibraryFilter = {
  q?: string | undefined
  status?: (typeof LIBRARY_STATUSES)[number] | undefined
  genre?: string | undefined
  decade?: number | undefined
  maxRuntime?: number | undefined
  suggestedBy?: string | undefined
  /** Whose marks and ratings count. */
  viewerId: string
} & SeenFilter

/** A place in an order: right after the card with this value and id. */
export type LibraryPlace = { value: string | number; id: string }

type ColumnSort = Exclude<LibrarySort, 'rating'>
type Page = { after: LibraryPlace | undefined; limit: number }

const ORDERS = {
  changed: { column: 'status_changed_at', direction: 'desc' },
  title: { column: 'folded_title', direction: 'asc' },
  year: { column: 'year', direction: 'desc' },
  runtime: { column: 'runtime_minutes', direction: 'asc' },
} as const satisfies Record<ColumnSort, { column: keyof CardTables['card']; direction: 'asc' | 'desc' }>

/**
 * The ids of the matching cards in an order, with its values; those after `after`, if given. It walks one index, which has
 * all columns that it looks at.
 */
export async function findInLibrary(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { sort, ...page }: Page & { sort: LibrarySort },
): Promise<LibraryPlace[]> {
  return sort === 'rating'
    ? await findByRating(db, watchlistId, filter, page)
    : await findInOrder(db, watchlistId, conditionsOf(filter, ORDERS[sort].column), { sort, ...page })
}

async function findInOrder(
  db: AnyDb,
  watchlistId: string,
  conditions: readonly RawBuilder<boolean>[],
  { sort, after, limit }: Page & { sort: ColumnSort },
): Promise<LibraryPlace[]> {
  const { column, direction } = ORDERS[sort]
  const isBehind = sql.raw(direction === 'asc' ? '>' : '<')
  const behind = after && sql<boolean>`(${sql.ref(column)}, id) ${isBehind} (${after.value}, ${after.id})`
  return await withTables<CardTables>(db)
    .selectFrom('card')
    .select(['id', `${column} as value`])
    .where('watchlist_id', '=', watchlistId)
    .where(IS_IN_FEED)
    .where((eb) => eb.and(behind ? [behind, ...conditions] : [...conditions]))
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit)
    .execute()
}

/** First the cards that the viewer has rated, best first, then the others by their last change. */
async function findByRating(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { after, limit }: Page,
): Promise<LibraryPlace[]> {
  const { viewerId } = filter
  const conditions = conditionsOf(filter, 'status_changed_at')
  const isPastRated = typeof after?.value === 'string'
  const rated = isPastRated ? [] : await findRated(db, watchlistId, viewerId, conditions, { after, limit })
  if (rated.length === limit) return rated
  const others = await findInOrder(db, watchlistId, [...conditions, isUnratedBy(viewerId)], {
    sort: 'changed',
    after: isPastRated ? after : undefined,
    limit: limit - rated.length,
  })
  return [...rated, ...others]
}

async function findRated(
  db: AnyDb,
  watchlistId: string,
  viewerId: string,
  conditions: readonly RawBuilder<boolean>[],
  { after, limit }: Page,
): Promise<LibraryPlace[]> {
  return await withTables<CardTables>(db)
    .selectFrom(ratingsOf(watchlistId, viewerId).as('rated'))
    // SQLite walks the ratings in their order, and looks up each card.
    .crossJoin('card')
    .select(['card.id', 'rated.half_stars as value'])
    .where('card.watchlist_id', '=', watchlistId)
    .whereRef('card.id', '=', 'rated.card_id')
    .where(IS_IN_FEED)
    .where((eb) => eb.and([...conditions]))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(rated.half_stars, rated.card_id) < (${after?.value}, ${after?.id})`),
    )
    .orderBy('rated.half_stars', 'desc')
    .orderBy('rated.card_id', 'desc')
    .limit(limit)
    .execute()
}

function conditionsOf(
  { q, status, genre, decade, maxRuntime, suggestedBy, viewerId, ...seen }: LibraryFilter,
  column: (typeof ORDERS)[ColumnSort]['column'],
): RawBuilder<boolean>[] {
  // With a plus sign a column is no reason to walk its index, which does not have the values of another order.
  const bare = (name: 'year' | 'runtime_minutes') => sql.raw(name === column ? name : `+${name}`)
  return [
    ...(status === undefined ? [] : [sql<boolean>`status = ${status}`]),
    ...(suggestedBy === undefined ? [] : [sql<boolean>`creator_username = ${suggestedBy}`]),
    ...(decade === undefined ? [] : [sql<boolean>`${bare('year')} >= ${decade} and ${bare('year')} < ${decade + 10}`]),
    ...(maxRuntime === undefined ? [] : [sql<boolean>`${bare('runtime_minutes')} <= ${maxRuntime}`]),
    ...(genre === undefined ? [] : [sql<boolean>`folded_genres ${like(genrePattern(genre))}`]),
    ...(q === undefined ? [] : wordPatterns(q)).map(
      (word) => sql<boolean>`(folded_title ${like(word)} or folded_people ${like(word)})`,
    ),
    // Last, because they look at another table.
    ...seenConditions(viewerId, seen),
  ]
}

function like(pattern: string): RawBuilder<unknown> {
  return sql`like ${pattern} escape '\\'`
}

/** These cards, if they are in the feed, in any order. */
export async function listCardsOfFeed(db: AnyDb, watchlistId: string, ids: readonly string[]): Promise<CardRow[]> {
  return await selectCards(db)
    .where('card.watchlist_id', '=', watchlistId)
    .where(IS_IN_FEED)
    .where(isOneOf(db, sql.ref('card.id'), ids))
    .execute()
}
