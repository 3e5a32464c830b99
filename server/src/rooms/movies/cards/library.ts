import type { CardsPage } from '@marquee/contract/entities/card'
import { LIBRARY_SORTS, type LibrarySort } from '@marquee/contract/rules/library'
import { pageOf, placeOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'
import { nextTurn } from '@marquee/platform/runtime/turns'
import { z } from 'zod'

import type { ImageAddresses } from '../images/service.ts'
import {
  type FeedMovie,
  findInLibrary,
  type LibraryFilter,
  type LibraryPlace,
  listCardsOfFeed,
  parseMovie,
} from './library-store.ts'
import { presentCard } from './present.ts'

/** The first slice has so many times the cards of a page, which is enough if half are picked; the others find rare ones. */
const [FIRST_SLICE, LARGEST_SLICE] = [2, 500]
/** Picking from more would hold up other requests. */
const MAX_PICKED_FROM = 5_000

/**
 * Those of some cards of the feed that are shown, by what no column of a card says. Whether an `unasked` one is shown is known
 * in a later call.
 */
export type PickCards = (
  cards: readonly FeedMovie[],
) => Promise<{ readonly picked: ReadonlySet<string>; readonly unasked: ReadonlySet<string> }>

type Order = { sort: LibrarySort; after: LibraryPlace | undefined; limit: number }

type LibraryQuery = LibraryFilter & {
  watchlistId: string
  sort: LibrarySort
  limit: number
  nextToken?: string | undefined
  pick?: PickCards | undefined
}

/**
 * A page of the cards that are not in the box. A card that is changed between two pages may move in the order, so that it
 * appears twice or not at all; the others appear once.
 * @throws {Problem} BAD_REQUEST if the token is invalid or of another order.
 */
export async function listLibrary(
  db: AnyDb,
  { images }: { images: ImageAddresses },
  { watchlistId, sort, limit, nextToken, pick, ...filter }: LibraryQuery,
): Promise<CardsPage> {
  const after = placeOf(nextToken, (token) => readCursor(token, sort))
  const { places, rest } = pick
    ? await pickPlaces(db, watchlistId, filter, { order: { sort, after, limit: limit + 1 }, pick })
    : { places: await findInLibrary(db, watchlistId, filter, { sort, after, limit: limit + 1 }) }
  const { shown, nextToken: next } = pageOf(places, limit, (last) => writeCursor(sort, last))
  const ids = shown.map(({ id }) => id)
  const rows = new Map((await listCardsOfFeed(db, watchlistId, ids)).map((row) => [row.id, row]))
  return {
    cards: ids.flatMap((id) => {
      const row = rows.get(id)
      // It went back into the box since the statement before.
      return row === undefined ? [] : [presentCard(row, images.posterOf)]
    }),
    nextToken: next ?? (rest ? writeCursor(sort, rest) : null),
  }
}

/**
 * Walks the order until enough cards are picked. After many others, or in front of one that is unasked, it ends at the place
 * `rest`, where the next page goes on. Such a page may be empty.
 */
async function pickPlaces(
  db: AnyDb,
  watchlistId: string,
  filter: LibraryFilter,
  { order, pick }: { order: Order; pick: PickCards },
): Promise<{ places: LibraryPlace[]; rest?: LibraryPlace | undefined }> {
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

function movieOf({ id, title = '', movie = null }: Awaited<ReturnType<typeof findInLibrary>>[number]): FeedMovie {
  return parseMovie({ cardId: id, title, movie })
}

const Place = z.tuple([z.enum(LIBRARY_SORTS), z.union([z.string(), z.number()]), z.string()])

function writeCursor(sort: LibrarySort, { value, id }: LibraryPlace): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')
}

function readCursor(token: string, sort: LibrarySort): LibraryPlace | undefined {
  const place = Place.safeParse(parsed(Buffer.from(token, 'base64url').toString()))
  const [ofSort, value, id] = place.data ?? []
  // Behind the rated movies the others follow by their last change.
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
