import type { CardsPage } from '@marquee/contract/entities/card'
import { LIBRARY_SORTS, type LibrarySort } from '@marquee/contract/rules/library'
import { pageOf, placeOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'
import { z } from 'zod'

import type { ImageAddresses } from '../images/service.ts'
import { findInLibrary, type LibraryFilter, type LibraryPlace, listCardsOfFeed } from './library-store.ts'
import { presentCard } from './present.ts'

type LibraryQuery = LibraryFilter & {
  watchlistId: string
  sort: LibrarySort
  limit: number
  nextToken?: string | undefined
}

/**
 * A page of the cards that are not in the box. A card that is changed between two pages may move in the order, so that it
 * appears twice or not at all; the others appear once.
 * @throws {Problem} BAD_REQUEST if the token is invalid or of another order.
 */
export async function listLibrary(
  db: AnyDb,
  { images }: { images: ImageAddresses },
  { watchlistId, sort, limit, nextToken, ...filter }: LibraryQuery,
): Promise<CardsPage> {
  const after = placeOf(nextToken, (token) => readCursor(token, sort))
  const places = await findInLibrary(db, watchlistId, filter, { sort, after, limit: limit + 1 })
  const { shown, nextToken: next } = pageOf(places, limit, (last) => writeCursor(sort, last))
  const ids = shown.map(({ id }) => id)
  const rows = new Map((await listCardsOfFeed(db, watchlistId, ids)).map((row) => [row.id, row]))
  return {
    cards: ids.flatMap((id) => {
      const row = rows.get(id)
      // It went back into the box since the statement before.
      return row === undefined ? [] : [presentCard(row, images.posterOf)]
    }),
    nextToken: next,
  }
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
