import { z } from 'zod'

import { MovieIds } from '@marquee/contract/entities/movie'
import { MOVIE_YEARS } from '@marquee/contract/limits'
import { inParts } from '@marquee/platform/database/parts'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { MAX_LIST_BYTES, MAX_SERVER_MOVIES, MediaServerFault, MOVIES_PER_PAGE, type ServerMovie } from './port.ts'

const MAX_TITLE_LENGTH = 300
const MAX_NAME_LENGTH = 100
/** Twice as many as are needed, for servers that send smaller pages or have many libraries. */
const MAX_PAGES = (MAX_SERVER_MOVIES / MOVIES_PER_PAGE) * 2

/** The id of an item, safe in a URL. */
export const ItemId = z.string().regex(/^[\w-]{1,64}$/u)
export const Title = z
  .string()
  .trim()
  .min(1)
  .transform((text) => text.slice(0, MAX_TITLE_LENGTH).toWellFormed())
/** A name that a server or a person chose, as one line of text. */
export const Name = z
  .string()
  .transform((text) => text.replaceAll(/\p{Cc}+/gu, ' ').trim())
  .pipe(z.string().min(1))
  .transform((text) => text.slice(0, MAX_NAME_LENGTH).toWellFormed())
export const Year = z.int().min(MOVIE_YEARS.first).max(MOVIE_YEARS.last).nullable().catch(null)

/** A short list of a server: of libraries or players. What is beyond is left out. */
export const ShortList = z.array(z.unknown()).transform((items) => items.slice(0, 100))

/** An id as the product knows it; null for anything else. */
export function idsOf(ids: Readonly<Record<'tmdb' | 'imdb' | 'wikidata', string | undefined>>) {
  const { tmdb, imdb, wikidata } = MovieIds.shape
  return {
    tmdbId: tmdb.safeParse(ids.tmdb).data ?? null,
    imdbId: imdb.safeParse(ids.imdb).data ?? null,
    wikidataId: wikidata.safeParse(ids.wikidata).data ?? null,
  }
}

/** What a server sent of a list from `start` on, not yet read item by item. `total` is how many it says there are. */
export type RawPage = { readonly items: readonly unknown[]; readonly total: number | undefined }

/** What may still be read of a server. It counts what the server sends, also what it sends again. */
export type Reading = { pagesLeft: number; itemsLeft: number; bytesLeft: number }

export function startReading(): Reading {
  return { pagesLeft: MAX_PAGES, itemsLeft: MAX_SERVER_MOVIES, bytesLeft: MAX_LIST_BYTES }
}

/**
 * All pages of one library. An item that cannot be read is left out; if no item of a page can be read, they are of another
 * server. Ends where the reading does, so that no server can keep it busy for ever.
 */
export async function* pagesOf(
  reading: Reading,
  readPage: (start: number) => Promise<RawPage>,
  movie: z.ZodType<ServerMovie>,
): AsyncGenerator<readonly ServerMovie[]> {
  let start = 0
  while (reading.pagesLeft > 0 && reading.itemsLeft > 0 && reading.bytesLeft > 0) {
    reading.pagesLeft -= 1
    const { items, total } = await readPage(start)
    if (items.length === 0) return
    reading.itemsLeft -= items.length
    let areRead = false
    // A server may send more than it was asked for.
    for (const part of inParts(items, MOVIES_PER_PAGE)) {
      await nextTurn()
      const movies = part.flatMap((item) => movie.safeParse(item).data ?? [])
      if (movies.length > 0) yield movies
      areRead ||= movies.length > 0
    }
    if (!areRead) throw new MediaServerFault('other-server', 'no item can be read')
    start += items.length
    if (total === undefined ? items.length < MOVIES_PER_PAGE : start >= total) return
  }
}

/** Each id once, and no more movies than are read of a server. */
export async function* eachOnce(pages: AsyncIterable<readonly ServerMovie[]>): AsyncGenerator<readonly ServerMovie[]> {
  const seen = new Set<string>()
  for await (const page of pages) {
    const fresh = page.filter(({ itemId }) => seen.size < MAX_SERVER_MOVIES && !seen.has(itemId) && seen.add(itemId))
    if (fresh.length > 0) yield fresh
    if (seen.size >= MAX_SERVER_MOVIES) return
  }
}
