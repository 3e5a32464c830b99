import { type RawBuilder, sql } from 'kysely'

import type { LIBRARY_STATUSES, LibrarySort } from '@marquee/contract/rules/library'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

import { genrePattern, wordPatterns } from './library-keys.ts'
import { type CardRow, type CardTables, IS_IN_FEED, selectCards } from './store.ts'

export type LibraryFilter = {
  q?: string | undefined
  status?: (typeof LIBRARY_STATUSES)[number] | undefined
  genre?: string | undefined
  decade?: number | undefined
  maxRuntime?: number | undefined
  suggestedBy?: string | undefined
}

/** A place in an order: right after the card with this value and id. */
export type LibraryPlace = { value: string | number; id: string }

const ORDERS = {
  changed: { column: 'status_changed_at', direction: 'desc' },
  title: { column: 'folded_title', direction: 'asc' },
  year: { column: 'year', direction: 'desc' },
  runtime: { column: 'runtime_minutes', direction: 'asc' },
} as const satisfies Record<LibrarySort, { column: keyof CardTables['card']; direction: 'asc' | 'desc' }>

/**
 * The ids of the matching cards in an order, with its values; those after `after`, if given. It walks one index, which has
 * all columns that it looks at.
 */
export async function findInLibrary(
  db: AnyDb,
  watchlistId: string,
  { q, status, genre, decade, maxRuntime, suggestedBy }: LibraryFilter,
  { sort, after, limit }: { sort: LibrarySort; after: LibraryPlace | undefined; limit: number },
): Promise<LibraryPlace[]> {
  const { column, direction } = ORDERS[sort]
  const isBehind = sql.raw(direction === 'asc' ? '>' : '<')
  // With a plus sign a column is no reason to walk its index, which does not have the values of another order.
  const bare = (name: 'year' | 'runtime_minutes') => sql.raw(name === column ? name : `+${name}`)
  const conditions = [
    ...(after ? [sql<boolean>`(${sql.ref(column)}, id) ${isBehind} (${after.value}, ${after.id})`] : []),
    ...(status === undefined ? [] : [sql<boolean>`status = ${status}`]),
    ...(suggestedBy === undefined ? [] : [sql<boolean>`creator_username = ${suggestedBy}`]),
    ...(decade === undefined ? [] : [sql<boolean>`${bare('year')} >= ${decade} and ${bare('year')} < ${decade + 10}`]),
    ...(maxRuntime === undefined ? [] : [sql<boolean>`${bare('runtime_minutes')} <= ${maxRuntime}`]),
    ...(genre === undefined ? [] : [sql<boolean>`folded_genres ${like(genrePattern(genre))}`]),
    ...(q === undefined ? [] : wordPatterns(q)).map(
      (word) => sql<boolean>`(folded_title ${like(word)} or folded_people ${like(word)})`,
    ),
  ]
  return await withTables<CardTables>(db)
    .selectFrom('card')
    .select(['id', `${column} as value`])
    .where('watchlist_id', '=', watchlistId)
    .where(IS_IN_FEED)
    .where((eb) => eb.and(conditions))
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit)
    .execute()
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
