import { z } from 'zod'

import { Movie } from '@marquee/contract/entities/movie'
import { MAX_IMPORT_ROWS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { splitJson } from '@marquee/platform/json/split-json'

import { type FileContent, markOf, type RawFacts, rowCollector, type SeenMark } from './rows.ts'

const Text = z.union([z.string(), z.number()]).transform(String).nullish().catch(undefined)

/** A movie in the shape that Trakt and Simkl share. Numbers and texts are both accepted. */
const MovieObject = z.object({
  title: Text,
  year: Text,
  ids: z.object({ imdb: Text, tmdb: Text }).nullish().catch(undefined),
})

/** One entry: Trakt wraps the movie and says when it was watched or rated, Simkl gives its status. */
const Entry = z.object({
  type: Text,
  movie: MovieObject.optional(),
  show: z.unknown().optional(),
  status: Text,
  plays: z.unknown().optional(),
  watched_at: z.unknown().optional(),
  last_watched_at: z.unknown().optional(),
  rated_at: z.unknown().optional(),
  rating: z.unknown().optional(),
  user_rating: z.unknown().optional(),
})

/** A card in our own export of a watchlist. */
const OwnCard = z.object({
  title: z.string(),
  status: Text,
  movie: Movie.nullish().catch(null),
})

const NOT_SEEN = new Set(['plantowatch', 'hold'])
/** Movies that the member neither wants to see nor has seen to the end, unless they have rated them. */
const UNWANTED = new Map([
  ['notinteresting', 'Simkl lists this movie as not interesting'],
  ['dropped', 'Simkl lists this movie as dropped'],
])
const SEEN_SIGNS = ['plays', 'watched_at', 'last_watched_at', 'rated_at', 'rating', 'user_rating'] as const

/** The parts of a document by which its writer is known. */
type Document = { movies?: unknown; cards?: unknown } | unknown[] | null

/**
 * The movies of an export of Trakt, Simkl or Marquee. A row is the place of an entry in its list, from 1.
 * @throws {Problem} BAD_REQUEST if it is not such a file. @throws {TooComplex}
 */
export function readJsonList(text: string): FileContent {
  const document = parseJson(text) as Document
  if (Array.isArray(document)) return { format: 'trakt', ...readEntries(document, readEntry) }
  if (Array.isArray(document?.movies)) return { format: 'simkl', ...readEntries(document.movies, readEntry) }
  if (Array.isArray(document?.cards)) return { format: 'marquee', ...readEntries(document.cards, readOwnCard) }
  throw new Problem('BAD_REQUEST', 'This JSON file is not an export of Trakt, Simkl or Marquee')
}

type Read = (collected: ReturnType<typeof rowCollector>, row: number, value: unknown) => void

function readEntries(entries: readonly unknown[], read: Read): Pick<FileContent, 'rows' | 'problems'> {
  if (entries.length > MAX_IMPORT_ROWS) {
    throw new Problem('BAD_REQUEST', `A file may have at most ${MAX_IMPORT_ROWS.toLocaleString('en')} rows`)
  }
  const collected = rowCollector()
  for (const [index, value] of entries.entries()) read(collected, index + 1, value)
  return { rows: collected.rows, problems: collected.problems }
}

const readEntry: Read = ({ add, refuse }, row, value) => {
  const entry = Entry.safeParse(value).data
  if (!entry?.movie) return refuse(row, isOfSeries(entry) ? 'This is not a movie: series' : 'The movie is missing')
  const { title, year, ids } = entry.movie
  const known = { ...(ids?.imdb && { imdb: ids.imdb }), ...(ids?.tmdb && { tmdb: ids.tmdb }) }
  const mark = seenMarkOf(entry)
  const isRated = mark.halfStars !== null
  const unwanted = isRated ? undefined : UNWANTED.get(entry.status ?? '')
  if (unwanted !== undefined) return refuse(row, unwanted)
  const facts = { title: title ?? '', year: year ?? '', ids: known }
  add(row, facts, { isSeen: isSeen(entry), mark: isSeen(entry) || isRated ? mark : null })
}

const readOwnCard: Read = ({ add, refuse }, row, value) => {
  const card = OwnCard.safeParse(value).data
  if (!card) return refuse(row, 'The title is missing')
  const { title, movie, status } = card
  add(row, { title, year: String(movie?.year ?? ''), ...(movie && factsOf(movie)) }, { isSeen: status === 'WATCHED' })
}

function factsOf({ originalTitle, runtimeMinutes, genres, directors, ids }: Movie): Partial<RawFacts> {
  return {
    originalTitle: originalTitle ?? '',
    runtime: String(runtimeMinutes ?? ''),
    genres,
    directors,
    ids: Object.fromEntries(Object.entries(ids)),
  }
}

function isSeen(entry: z.output<typeof Entry>): boolean {
  if (typeof entry.status === 'string') return !NOT_SEEN.has(entry.status)
  return SEEN_SIGNS.some((sign) => entry[sign] !== undefined && entry[sign] !== null)
}

function seenMarkOf(entry: z.output<typeof Entry>): SeenMark {
  return markOf(entry.watched_at ?? entry.last_watched_at, entry.rating ?? entry.user_rating, { outOf: 10 })
}

function isOfSeries(entry: z.output<typeof Entry> | undefined): boolean {
  return entry?.show !== undefined || /^(?:show|season|episode)$/u.test(entry?.type ?? '')
}

function parseJson(text: string): unknown {
  // It refuses what would take too much memory.
  splitJson(Buffer.from(text), '')
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('BAD_REQUEST', 'The JSON file is damaged')
  }
}
