import type { CardsPage } from '@marquee/contract/entities/card'
import { LIBRARY_SORTS, type LibrarySort } from '@marquee/contract/rules/library'
import { pageOf, placeOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'
import { nextTurn } from '@marquee/platform/runtime/turns'
import { z } from 'zod'

import type { ImageAddresses } from '../../images/service.ts'
import {
  type ColumnSort,
  findEndInLibrary,
  findInLibrary,
  type LibraryFilter,
  type LibraryPlace,
  listCardsOfFeed,
  listListedCards,
} from './library-store.ts'
import { presentCard } from '../card/present.ts'
import { type CardMovie, type CardRow, withMovie } from '../card/store.ts'

/** The first slice has this many times the cards of a page, which is enough if half are picked. Larger ones find rare cards. */
const [FIRST_SLICE, LARGEST_SLICE] = [2, 500]
/** Picking from more would hold up other requests. */
const MAX_PICKED_FROM = 5_000

/** Which cards of the feed are shown, by what no column of a card says. */
export type Watchable = {
  /** Lists of media servers, if a card is shown whenever they have one of its ids, and only then. */
  readonly lists: readonly string[] | undefined
  /** Those of some cards that are shown. Whether an `unasked` one is shown is known in a later call. */
  readonly pick: (
    cards: readonly CardMovie[],
  ) => Promise<{ readonly picked: ReadonlySet<string>; readonly unasked: ReadonlySet<string> }>
}

type Order = { sort: LibrarySort; after: LibraryPlace | undefined; limit: number }

type LibraryQuery = LibraryFilter & {
  watchlistId: string
  sort: LibrarySort
  limit: number
  nextToken?: string | undefined
  watchable?: Watchable | undefined
}

/**
 * A page of the cards that are not in the box. A card that is changed between two pages may move in the order, so that it
 * appears twice or not at all; the others appear once.
 * @throws {Problem} BAD_REQUEST if the token is invalid or of another order.
 */
export async function listLibrary(
  db: AnyDb,
  { images }: { images: ImageAddresses },
  { watchlistId, sort, limit, nextToken, watchable, ...filter }: LibraryQuery,
): Promise<CardsPage> {
  const after = placeOf(nextToken, (token) => readCursor(token, sort))
  const order = { sort, after, limit: limit + 1 }
  const { places, rest, ...read } = await findPlaces(db, watchlistId, filter, { order, watchable })
  const { shown, nextToken: next } = pageOf(places, limit, (last) => writeCursor(sort, last))
  const ids = shown.map(({ id }) => id)
  const cards = read.rows ?? (await listCardsOfFeed(db, watchlistId, ids))
  const rows = new Map(cards.map((row) => [row.id, row]))
  return {
    cards: ids.flatMap((id) => {
      const row = rows.get(id)
      // It went back into the box since the statement before.
      return row === undefined ? [] : [presentCard(row, images.posterOf)]
    }),
    nextToken: next ?? (rest ? writeCursor(sort, rest) : null),
  }
}

type Places = {
  places: LibraryPlace[]
  /** Their cards, if they were read together. */
  rows?: CardRow[]
  /** Where the next page continues, if there are cards that were not looked at. */
  rest?: LibraryPlace | undefined
}

async function findPlaces(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { order: { sort, ...page }, watchable }: { order: Order; watchable: Watchable | undefined },
): Promise<Places> {
  if (!watchable) return { places: await findInLibrary(db, watchlistId, filter, { sort, ...page }) }
  const { lists, pick } = watchable
  return lists === undefined || sort === 'rating'
    ? await pickPlaces(db, watchlistId, filter, { order: { sort, ...page }, pick })
    : await findListedPlaces(db, watchlistId, filter, { order: { sort, ...page }, lists })
}

/** Walks the order until enough cards are found. If it has looked at many others, it ends at the place `rest`. */
async function findListedPlaces(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { order: { sort, after, limit }, lists }: { order: Order & { sort: ColumnSort }; lists: readonly string[] },
): Promise<Places> {
  const rows: (CardRow & LibraryPlace)[] = []
  let end = after
  for (let seen = 0; seen < MAX_PICKED_FROM; seen += LARGEST_SLICE) {
    if (seen > 0) await nextTurn()
    const slice = { sort, after: end, size: LARGEST_SLICE }
    const wanted = { lists, limit: limit - rows.length, slice }
    rows.push(...(await listListedCards(db, watchlistId, filter, wanted)))
    if (rows.length >= limit) return { places: rows, rows }
    end = await findEndInLibrary(db, watchlistId, filter, slice)
    if (end === undefined) return { places: rows, rows }
  }
  return { places: rows, rows, rest: end }
}

/**
 * Walks the order until enough cards are picked. If it has looked at many others, or comes to one that is unasked, it ends
 * at the place `rest`, where the next page continues. Such a page may be empty.
 */
async function pickPlaces(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { order, pick }: { order: Order; pick: Watchable['pick'] },
): Promise<Places> {
  const places: LibraryPlace[] = []
  let { after } = order
  let size = order.limit * FIRST_SLICE
  let seen = 0
  while (seen < MAX_PICKED_FROM) {
    if (seen > 0) await nextTurn()
    const slice = await findInLibrary(db, watchlistId, filter, { ...order, after, limit: size, hasMovies: true })
    if (slice.length === 0) return { places }
    const { picked, unasked } = await pick(slice.map(movieOf))
    const end = slice.findIndex(({ id }) => unasked.has(id))
    const known = end === -1 ? slice : slice.slice(0, end)
    places.push(...known.filter(({ id }) => picked.has(id)))
    after = known.at(-1) ?? after
    if (places.length >= order.limit) return { places }
    if (end !== -1) return { places, rest: after }
    if (slice.length < size) return { places }
    seen += size
    size = Math.min(size * 2, LARGEST_SLICE)
  }
  return { places, rest: after }
}

function movieOf({ id, title = '', movie = null }: Awaited<ReturnType<typeof findInLibrary>>[number]): CardMovie {
  return withMovie({ cardId: id, title, movie })
}

/** What a column may hold: PostgreSQL refuses to compare it with anything else. */
const Place = z.tuple([
  z.enum(LIBRARY_SORTS),
  z.union([z.string().regex(/^[^\0]*$/u), z.int32()]),
  z.string().regex(/^[\w-]{1,64}$/u),
])

function writeCursor(sort: LibrarySort, { value, id }: LibraryPlace): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')
}

function readCursor(token: string, sort: LibrarySort): LibraryPlace | undefined {
  const place = Place.safeParse(parsed(Buffer.from(token, 'base64url').toString()))
  const [ofSort, value, id] = place.data ?? []
  // After the rated movies, the others follow by their last change.
  const isNumber = sort === 'year' || sort === 'runtime' || (sort === 'rating' && typeof value === 'number')
  if (ofSort !== sort || value === undefined || id === undefined) return undefined
  return (typeof value === 'number') === isNumber ? { value, id } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
