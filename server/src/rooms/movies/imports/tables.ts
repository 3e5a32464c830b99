import Papa from 'papaparse'

import { MAX_IMPORT_ROWS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { shorten } from '@marquee/platform/texts/one-line'

import { type FileContent, markOf, type RawFacts, rowCollector, SHOWN_LENGTH } from './rows.ts'

/** Names of the columns in the exports of Letterboxd, IMDb and Marquee, in lower case without blanks and signs. */
const COLUMNS = {
  title: ['name', 'title', 'movie', 'film'],
  year: ['year', 'releaseyear'],
  originalTitle: ['originaltitle'],
  runtime: ['runtimemins', 'runtimeminutes', 'runtime'],
  genres: ['genres', 'genre'],
  directors: ['directors', 'director'],
  imdb: ['const', 'imdbid', 'imdb'],
  tmdb: ['tmdbid', 'tmdb'],
  wikidata: ['wikidata'],
  letterboxd: ['letterboxd'],
  address: ['letterboxduri', 'url'],
  type: ['titletype'],
  position: ['position'],
  rating: ['rating'],
  ratingOutOfTen: ['rating10', 'yourrating'],
  watched: ['watcheddate'],
} as const

type Column = keyof typeof COLUMNS
type Header = Partial<Record<Column, number>>

/** A Letterboxd list has the name of the list above its movies. */
const LIST_EXPORT = /^Letterboxd list export/iu
const SEEN_FILES = /^(?:watched|ratings|diary|reviews)\b/iu
const MOVIE_TYPES = /^(?:|movie|tv ?movie|short|tv ?short|video|tv ?special)$/iu
const LETTERBOXD_FILM = /letterboxd\.com\/film\/([a-z0-9_-]+)/u
const IMDB_TITLE = /\btt\d{7,10}\b/u
/** "Alien (1979)", also in square brackets. */
const TITLE_WITH_YEAR = /^(.*\S)\s*[([](\d{4})[)\]]$/u
/** What numbers or marks the lines of a list. */
const LIST_MARK = /^(?:\d{1,5}[.)]|[-*•–])\s+/u

const TOO_MANY_ROWS = `A file may have at most ${MAX_IMPORT_ROWS.toLocaleString('en')} rows`

/** The movies of a CSV file; undefined if its first row does not name a column with titles. */
export function readTable(name: string, text: string): FileContent | undefined {
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter: delimiterOf(text),
    // A list export has some rows above the header.
    preview: MAX_IMPORT_ROWS + 10,
  })
  const headerAt = LIST_EXPORT.test(data[0]?.[0] ?? '') ? data.findIndex((cells) => cells[0] === 'Position') : 0
  const header = headerOf(data[headerAt] ?? [])
  if (header.title === undefined) return undefined
  const records = data.slice(headerAt + 1)
  if (records.filter((cells) => !isEmpty(cells)).length > MAX_IMPORT_ROWS)
    throw new Problem('BAD_REQUEST', TOO_MANY_ROWS)

  const collected = rowCollector()
  const isOutOfTen = records.some((cells) => Number(cells[header.rating ?? -1]) > 5)
  const outOf = isOutOfTen ? 10 : 5
  const unclosed = errors.find(({ code }) => code === 'MissingQuotes')?.row
  for (const [index, cells] of records.entries()) {
    const at = headerAt + 1 + index
    const row = at + 1
    if (isEmpty(cells)) continue
    const cell = (column: Column): string => cells[header[column] ?? -1]?.trim() ?? ''
    if (at === unclosed) collected.refuse(row, 'A quotation mark is not closed')
    else if (!MOVIE_TYPES.test(cell('type')))
      collected.refuse(row, `This is not a movie: ${shorten(cell('type'), SHOWN_LENGTH)}`)
    else collected.add(row, factsOf(cell), seenOf(cell, { isSeen: isSeenRow(name, header, cell), outOf }))
  }
  return { format: formatOf(header, headerAt > 0), rows: collected.rows, problems: collected.problems }
}

/** The one that the first line has most of. Spreadsheets in some languages save tables with semicolons. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/[\r\n]/u, 1)
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  return counts.toSorted((one, other) => other.count - one.count)[0]?.delimiter ?? ','
}

function factsOf(cell: (column: Column) => string): RawFacts {
  const address = cell('address')
  const imdb = IMDB_TITLE.exec(cell('imdb') || address)?.[0]
  const letterboxd = LETTERBOXD_FILM.exec(address)?.[1] ?? cell('letterboxd')
  return {
    title: cell('title'),
    year: cell('year'),
    originalTitle: cell('originalTitle'),
    runtime: cell('runtime'),
    genres: cell('genres').split(','),
    directors: cell('directors').split(','),
    ids: { tmdb: cell('tmdb'), ...(imdb !== undefined && { imdb }), wikidata: cell('wikidata'), letterboxd },
  }
}

/** An IMDb list shows ratings, too, so it is one of seen movies only without positions. */
function isSeenRow(name: string, header: Header, cell: (column: Column) => string): boolean {
  if (SEEN_FILES.test(name) || cell('watched') !== '') return true
  return header.position === undefined && ratingIn(cell) !== ''
}

function ratingIn(cell: (column: Column) => string): string {
  return cell('ratingOutOfTen') || cell('rating')
}

/** A movie with a rating was seen, also on a list of movies to watch. `outOf` is of the column without a scale in its name. */
function seenOf(cell: (column: Column) => string, { isSeen, outOf }: { isSeen: boolean; outOf: 5 | 10 }) {
  const mark = markOf(cell('watched'), ratingIn(cell), { outOf: cell('ratingOutOfTen') === '' ? outOf : 10 })
  return { isSeen, mark: isSeen || mark.halfStars !== null ? mark : null }
}

function formatOf({ imdb, type, address, watched }: Header, isList: boolean): FileContent['format'] {
  if (imdb !== undefined && type !== undefined) return 'imdb'
  return isList || watched !== undefined || address !== undefined ? 'letterboxd' : 'csv'
}

function headerOf(cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.toLowerCase().replaceAll(/[^a-z0-9]/gu, ''))
  const header: Header = {}
  for (const [column, known] of Object.entries(COLUMNS)) {
    const index = names.findIndex((name) => (known as readonly string[]).includes(name))
    if (index !== -1) header[column as Column] = index
  }
  return header
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '')
}

/** A plain list: one title per line, with its year in brackets if it is known. */
export function readTitles(text: string): FileContent {
  const lines = text.split(/\r\n|\r|\n/u)
  if (lines.filter((line) => line.trim() !== '').length > MAX_IMPORT_ROWS)
    throw new Problem('BAD_REQUEST', TOO_MANY_ROWS)
  const { rows, problems, add, refuse } = rowCollector()
  for (const [index, line] of lines.entries()) {
    const entry = line.trim().replace(LIST_MARK, '')
    if (entry === '') continue
    const [, title, year] = TITLE_WITH_YEAR.exec(entry) ?? []
    if (/^https?:\/\//iu.test(entry)) refuse(index + 1, 'This is an address, not a title')
    else if (title === undefined || year === undefined) add(index + 1, { title: entry })
    else add(index + 1, { title, year })
  }
  return { format: 'titles', rows, problems }
}
