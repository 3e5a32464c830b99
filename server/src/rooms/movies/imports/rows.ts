import type { ImportFormat } from '@marquee/contract/entities/import'
import { Movie } from '@marquee/contract/entities/movie'
import {
  MAX_CARD_TITLE_LENGTH,
  MAX_DIRECTORS,
  MAX_GENRES,
  MAX_RUNTIME_MINUTES,
  MOVIE_YEARS,
} from '@marquee/contract/limits'
import { shorten } from '@marquee/platform/texts/one-line'
import { z } from 'zod'

/** A movie in a file. Rows count from 1, with the header of a table. */
export type FileRow = {
  readonly row: number
  readonly title: string
  readonly movie: Movie
  /** Whether the file lists it as seen, not as a movie to watch. */
  readonly isSeen: boolean
  /** That the member has seen it, also if the file lists it as a movie to watch. */
  readonly mark: SeenMark | null
}

/** `halfStars` is 1 to 10. */
export type SeenMark = { readonly seenOn: string | null; readonly halfStars: number | null }

/** A row that cannot be imported, and why. */
type RowProblem = { readonly row: number; readonly problem: string }

/** What one file holds. */
export type FileContent = {
  readonly format: ImportFormat
  readonly rows: readonly FileRow[]
  readonly problems: readonly RowProblem[]
}

/** The facts of a row as the file has them, all as text. */
export type RawFacts = {
  readonly title: string
  readonly year?: string
  readonly originalTitle?: string
  readonly runtime?: string
  readonly genres?: readonly string[]
  readonly directors?: readonly string[]
  readonly ids?: Readonly<Partial<Record<keyof Movie['ids'], string>>>
}

/** Of a value that cannot be used. */
export const SHOWN_LENGTH = 40

/** Collects the rows of a file. A row with an unusable title or year becomes a problem; other unusable facts are left out. */
export function rowCollector() {
  const rows: FileRow[] = []
  const problems: RowProblem[] = []
  const refuse = (row: number, problem: string): void => void problems.push({ row, problem })
  return {
    rows,
    problems,
    refuse,
    add: (
      row: number,
      { title: given, year, ...facts }: RawFacts,
      { mark = null, isSeen = mark !== null }: Partial<Pick<FileRow, 'mark' | 'isSeen'>> = {},
    ): void => {
      const title = given.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
      if (title === '') return refuse(row, 'The title is missing')
      if (title.length > MAX_CARD_TITLE_LENGTH && !isUsable('originalTitle', title)) {
        return refuse(row, `The title is longer than ${MAX_CARD_TITLE_LENGTH} characters`)
      }
      const readYear = yearOf(year)
      if (readYear === undefined) return refuse(row, `“${shorten(year ?? '', SHOWN_LENGTH)}” is not a year`)
      rows.push({ row, title, movie: movieOf(title, readYear, facts), isSeen, mark })
    },
  }
}

/** A mark as a file has it, with what cannot be used left out. Ratings are out of five or out of ten. */
export function markOf(day: unknown, rating: unknown, { outOf }: { outOf: 5 | 10 }): SeenMark {
  const text = typeof day === 'string' ? day.slice(0, 'YYYY-MM-DD'.length) : ''
  const halfStars = Math.round(Number(rating) * (10 / outOf))
  return {
    seenOn: z.iso.date().safeParse(text).success ? text : null,
    halfStars: halfStars >= 1 && halfStars <= 10 ? halfStars : null,
  }
}

/**
 * Marks of the same movie as one; null if there are none. A rating without a day is the current one, as in the ratings of
 * Letterboxd. Else the one of the last viewing counts.
 */
export function joinMarks(marks: readonly SeenMark[]): SeenMark | null {
  if (marks.length === 0) return null
  const byDay = marks.toSorted((one, other) => (other.seenOn ?? '').localeCompare(one.seenOn ?? ''))
  const rated = byDay.filter(({ halfStars }) => halfStars !== null)
  const rating = rated.find(({ seenOn }) => seenOn === null) ?? rated[0]
  return { seenOn: byDay[0]?.seenOn ?? null, halfStars: rating?.halfStars ?? null }
}

/** Null if none is given; undefined for what is not a year. */
function yearOf(text = ''): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const year = /^\d{4}(?:\.0)?$/u.test(trimmed) ? Number(trimmed) : 0
  return year >= MOVIE_YEARS.first && year <= MOVIE_YEARS.last ? year : undefined
}

/** Made by hand, because a file has ten thousand: only what it has is checked. */
function movieOf(title: string, year: number | null, facts: Omit<RawFacts, 'title' | 'year'>): Movie {
  const { originalTitle = '', runtime = '' } = facts
  const minutes = /^\d{1,5}$/u.test(runtime) ? Number(runtime) : 0
  return {
    year,
    runtimeMinutes: minutes > 0 && minutes <= MAX_RUNTIME_MINUTES ? minutes : null,
    genres: namesOf('genres', facts.genres).slice(0, MAX_GENRES),
    directors: namesOf('directors', facts.directors).slice(0, MAX_DIRECTORS),
    originalTitle: originalTitle !== title && isUsable('originalTitle', originalTitle) ? originalTitle : null,
    language: null,
    source: null,
    ids: idsOf(facts.ids),
  }
}

function namesOf(field: 'genres' | 'directors', given: readonly string[] = []): string[] {
  const names = given.map((name) => name.trim()).filter((name) => name !== '')
  return names.filter((name) => isUsable(field, [name]))
}

function idsOf(given: RawFacts['ids'] = {}): Movie['ids'] {
  const ids = Object.entries(given).filter(([name, id]) => id !== '' && isUsable('ids', { [name]: id }))
  return Object.fromEntries(ids)
}

function isUsable(field: keyof typeof Movie.shape, value: unknown): boolean {
  return Movie.shape[field].safeParse(value).success
}
