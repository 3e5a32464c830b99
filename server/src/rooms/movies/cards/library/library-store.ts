import { type RawBuilder, sql } from 'kysely'

import type { LIBRARY_STATUSES, LibrarySort } from '@marquee/contract/rules/library'
import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import { isInList, isOneOf, type TextList, textList } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

import { hasListedId } from '../../media-servers/service.ts'
import { isUnratedBy, ratingsOf, seenConditions, type SeenFilter } from '../../viewings/service.ts'
import { genrePattern, searchWords, type SearchWord } from '../card/library-keys.ts'
import {
  cardColumns,
  type CardMovie,
  type CardRow,
  type CardTables,
  IS_IN_FEED,
  selectCards,
  withMovie,
} from '../card/store.ts'

/** A search looks up and sorts at most this many cards of its rarest word. */
const MAX_FOUND = 500

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

/** With the title and the movie of the card if they were asked for: no index has the movie. */
type FoundPlace = LibraryPlace & { title?: string; movie?: string | null }

export type ColumnSort = Exclude<LibrarySort, 'rating'>
type Page = { after: LibraryPlace | undefined; limit: number; hasMovies?: boolean }

const ORDERS = {
  changed: { column: 'status_changed_at', direction: 'desc' },
  title: { column: 'folded_title', direction: 'asc' },
  year: { column: 'year', direction: 'desc' },
  runtime: { column: 'runtime_minutes', direction: 'asc' },
} as const satisfies Record<ColumnSort, { column: keyof CardTables['card']; direction: 'asc' | 'desc' }>

/** Cards to choose from: the table itself, or the few of them that a search has found. */
type Cards = { table: RawBuilder<CardTables['card']>; areFew: boolean }

const ALL_CARDS: Cards = { table: sql`card`, areFew: false }

/**
 * The ids of the matching cards in an order, with its values; those after `after`, if given. A search whose rarest word is
 * in few cards looks these up. Otherwise one index is walked, which has all columns of the conditions.
 */
export async function findInLibrary(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { sort, ...page }: Page & { sort: LibrarySort },
): Promise<FoundPlace[]> {
  const from = await findCards(db, watchlistId, filter)
  if (from === undefined) return []
  return sort === 'rating'
    ? await findByRating(from, filter, page)
    : await selectInOrder(from, conditionsOf(from, filter, ORDERS[sort].column), { sort, ...page }).execute()
}

/** Some of the next cards of an order. */
export type Slice = { sort: ColumnSort; after: LibraryPlace | undefined; size: number }

/**
 * The cards of a slice that have an id in lists of media servers, in the same order. They are looked up one after the other,
 * until there are enough.
 */
export async function listListedCards(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { lists, limit, slice }: { lists: readonly string[]; limit: number; slice: Slice },
): Promise<(CardRow & LibraryPlace)[]> {
  const listed = textList(db, lists)
  if (isWithoutConditions(filter)) {
    const { sort, after } = slice
    const values = {
      watchlistId,
      lists: listed,
      limit,
      size: slice.size,
      value: after?.value ?? '',
      id: after?.id ?? '',
    }
    return await allListed(db, values, { sort, isFirst: after === undefined })
  }
  const from = await findCards(db, watchlistId, filter)
  if (from === undefined) return []
  const conditions = conditionsOf(from, filter, ORDERS[slice.sort].column)
  return await selectListed(from, conditions, { lists: listed, limit, slice }).execute()
}

function isWithoutConditions(filter: LibraryFilter): boolean {
  return Object.entries(filter).every(([name, value]) => name === 'viewerId' || value === undefined)
}

function selectListed(
  from: From,
  conditions: readonly RawBuilder<boolean>[],
  { lists, limit, slice: { size, ...place } }: { lists: TextList; limit: number; slice: Slice },
) {
  const { db, watchlistId } = from
  const { direction } = ORDERS[place.sort]
  const slice = selectInOrder(from, conditions, { ...place, limit: size })
  const isSqlite = dialectOf(db) === 'sqlite'
  // Without statistics PostgreSQL would first compare all cards of the watchlist. The limit leaves out nothing.
  const oneByOne = sql`lateral (select * from card where watchlist_id = ${watchlistId} and id = place.id limit 1)`
  const card = sql<CardTables['card']>`${isSqlite ? sql`card` : oneByOne}`
  return (
    withTables<CardTables>(db)
      .selectFrom(slice.as('place'))
      .crossJoin(card.as('card'))
      .select(cardColumns(db))
      .select('place.value')
      .where('card.watchlist_id', '=', watchlistId)
      .whereRef('card.id', '=', 'place.id')
      .where(IS_IN_FEED)
      .where(hasListedId(db, lists))
      // SQLite keeps the order of the slice, and would look up all of it to sort it again.
      .$if(!isSqlite, (query) => query.orderBy('place.value', direction).orderBy('place.id', direction))
      .limit(limit)
  )
}

/** Built once, because most members ask for all that they can watch. */
const allListed = prepared<
  LibraryPlace & { watchlistId: string; lists: TextList; limit: number; size: number },
  CardRow & LibraryPlace,
  { sort: ColumnSort; isFirst: boolean }
>((db, value, { sort, isFirst }) => {
  const after = isFirst ? undefined : { value: value('value'), id: value('id') }
  const from: From = { db, watchlistId: value('watchlistId'), cards: ALL_CARDS, words: [] }
  return selectListed(from, [], {
    lists: value('lists'),
    limit: value('limit'),
    slice: { sort, after, size: value('size') },
  })
})

/** The last card of a full slice; undefined if there are not as many cards. */
export async function findEndInLibrary(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { size, ...place }: Slice,
): Promise<LibraryPlace | undefined> {
  const from = await findCards(db, watchlistId, filter)
  if (from === undefined) return undefined
  const conditions = conditionsOf(from, filter, ORDERS[place.sort].column)
  return await selectInOrder(from, conditions, { ...place, limit: 1 })
    .offset(size - 1)
    .executeTakeFirst()
}

type From = { db: AnyDb; watchlistId: string; cards: Cards; words: readonly SearchWord[] }

/** The cards to choose from; undefined if no card has one of the words of a search. */
async function findCards(db: AnyDb, watchlistId: string, { q }: LibraryFilter): Promise<From | undefined> {
  const words = q === undefined ? [] : searchWords(q)
  const cards = await findByWords(db, watchlistId, words)
  return cards && { db, watchlistId, cards, words }
}

async function findByWords(db: AnyDb, watchlistId: string, words: readonly SearchWord[]): Promise<Cards | undefined> {
  const indexed = words.flatMap(({ range }) => range ?? [])
  if (indexed.length === 0) return ALL_CARDS
  const entries = ({ from, to }: (typeof indexed)[number]) =>
    sql`from card_words where watchlist_id = ${watchlistId} and word >= ${from} and word < ${to}`
  const counts = await sql<{ place: number; count: number }>`${sql.join(
    indexed.map(
      (range, place) => sql`select ${sql.lit(place)} as place, count(*) as count
        from (select 1 ${entries(range)} order by word limit ${MAX_FOUND + 1}) as found`,
    ),
    sql` union all `,
  )}`.execute(db)
  const [rarest] = counts.rows.toSorted((one, other) => one.count - other.count)
  if (rarest === undefined || rarest.count === 0) return undefined
  const range = indexed[rarest.place]
  if (range === undefined || rarest.count > MAX_FOUND) return ALL_CARDS
  // The limit leaves out nothing. It keeps both databases from walking the index of an order instead.
  const table = sql<CardTables['card']>`(select card.* from card
    where card.watchlist_id = ${watchlistId} and card.id in (select card_id ${entries(range)}) limit ${MAX_FOUND})`
  return { table, areFew: true }
}

function selectInOrder(
  { db, watchlistId, cards }: From,
  conditions: readonly RawBuilder<boolean>[],
  { sort, after, limit, hasMovies = false }: Page & { sort: ColumnSort },
) {
  const { column, direction } = ORDERS[sort]
  const isBehind = sql.raw(direction === 'asc' ? '>' : '<')
  const behind = after && sql<boolean>`(${sql.ref(column)}, id) ${isBehind} (${after.value}, ${after.id})`
  return withTables<CardTables>(db)
    .selectFrom(cards.table.as('card'))
    .select(['id', `${column} as value`])
    .$if(hasMovies, (query) => query.select(['title', 'movie']))
    .where('watchlist_id', '=', watchlistId)
    .where(IS_IN_FEED)
    .where((eb) => eb.and(behind ? [behind, ...conditions] : [...conditions]))
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(limit)
}

/** First the cards that the viewer has rated, best first, then the others by their last change. */
async function findByRating(from: From, filter: LibraryFilter, { after, limit, ...more }: Page): Promise<FoundPlace[]> {
  const { viewerId } = filter
  const conditions = conditionsOf(from, filter, 'status_changed_at')
  const isPastRated = typeof after?.value === 'string'
  const rated = isPastRated ? [] : await findRated(from, viewerId, conditions, { after, limit, ...more })
  if (rated.length === limit) return rated
  const others = await selectInOrder(from, [...conditions, isUnratedBy(viewerId)], {
    sort: 'changed',
    after: isPastRated ? after : undefined,
    limit: limit - rated.length,
    ...more,
  }).execute()
  return [...rated, ...others]
}

async function findRated(
  { db, watchlistId, cards }: From,
  viewerId: string,
  conditions: readonly RawBuilder<boolean>[],
  { after, limit, hasMovies = false }: Page,
): Promise<FoundPlace[]> {
  const tables = withTables<CardTables>(db)
  const rated = ratingsOf(watchlistId, viewerId).as('rated')
  const card = cards.table.as('card')
  // SQLite walks the first of the two, and looks up the other: the few cards, or the ratings in their order.
  const both = cards.areFew ? tables.selectFrom(card).crossJoin(rated) : tables.selectFrom(rated).crossJoin(card)
  return await both
    .select(['card.id', 'rated.half_stars as value'])
    .$if(hasMovies, (query) => query.select(['card.title', 'card.movie']))
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
  { words }: From,
  { status, genre, decade, maxRuntime, suggestedBy, viewerId, ...seen }: LibraryFilter,
  column: (typeof ORDERS)[ColumnSort]['column'],
): RawBuilder<boolean>[] {
  // A plus sign before a column keeps the database from walking its index, which does not have the values of another order.
  const bare = (name: 'year' | 'runtime_minutes') => sql.raw(name === column ? name : `+${name}`)
  return [
    ...(status === undefined ? [] : [sql<boolean>`status = ${status}`]),
    ...(suggestedBy === undefined ? [] : [sql<boolean>`creator_username = ${suggestedBy}`]),
    ...(decade === undefined ? [] : [sql<boolean>`${bare('year')} >= ${decade} and ${bare('year')} < ${decade + 10}`]),
    ...(maxRuntime === undefined ? [] : [sql<boolean>`${bare('runtime_minutes')} <= ${maxRuntime}`]),
    ...(genre === undefined ? [] : [sql<boolean>`folded_genres ${like(genrePattern(genre))}`]),
    ...words.map(
      ({ pattern }) =>
        sql<boolean>`(' ' || folded_title || ' ' || replace(folded_people, ${'\n'}, ' ')) ${like(pattern)}`,
    ),
    // Last, because they look at another table.
    ...seenConditions(viewerId, seen),
  ]
}

function like(pattern: string): RawBuilder<unknown> {
  return sql`like ${pattern} escape '\\'`
}

const cardsOfFeed = prepared<{ watchlistId: string; ids: TextList }, CardRow>((db, value) =>
  selectCards(db)
    .where('card.watchlist_id', '=', value('watchlistId'))
    .where(IS_IN_FEED)
    .where(isInList(db, sql.ref('card.id'), value('ids'))),
)

/** These cards, if they are in the feed, in any order. */
export async function listCardsOfFeed(db: AnyDb, watchlistId: string, ids: readonly string[]): Promise<CardRow[]> {
  return await cardsOfFeed(db, { watchlistId, ids: textList(db, ids) })
}

/** The movies of those of the cards that are in the feed. */
export async function findFeedMovies(db: AnyDb, watchlistId: string, cardIds: readonly string[]): Promise<CardMovie[]> {
  const rows = await selectMovies(db, watchlistId)
    .where(isOneOf(db, sql.ref('card.id'), cardIds))
    .orderBy('card.id')
    .execute()
  return rows.map(withMovie)
}

/** The same for the cards of the feed that changed last: so many are looked at. */
export async function listFeedMovies(db: AnyDb, watchlistId: string, limit: number): Promise<CardMovie[]> {
  const rows = await selectMovies(db, watchlistId)
    .orderBy('card.status_changed_at', 'desc')
    .orderBy('card.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withMovie)
}

function selectMovies(db: AnyDb, watchlistId: string) {
  return withTables<CardTables>(db)
    .selectFrom('card')
    .select(['card.id as cardId', 'card.title', 'card.movie'])
    .where('card.watchlist_id', '=', watchlistId)
    .where(IS_IN_FEED)
}
