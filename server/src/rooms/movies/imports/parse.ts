import type { ImportFormat, ImportProblem } from '@marquee/contract/entities/import'
import { MAX_IMPORT_ROWS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { TooComplex } from '@marquee/platform/json/split-json'

import { compareNamesakes, plainTitle } from '../same-movie/service.ts'
import { isOwnList, readTextFiles, type TextFile } from './files.ts'
import { readJsonList } from './json-lists.ts'
import { type FileContent, type FileRow, joinMarks, type SeenMark } from './rows.ts'
import { readTable, readTitles } from './tables.ts'

/** A row of an upload. `file` is the name of its file in a zip. */
export type ImportedRow = FileRow & { readonly file: string | null }

export type Parsed = {
  readonly format: ImportFormat
  readonly rows: readonly ImportedRow[]
  readonly problems: readonly ImportProblem[]
}

/**
 * Reads the movies of an upload. The format is the given one, else what the content looks like. An export has the same movie
 * in several files, as watched, rated and in the diary: these become one row.
 * @throws {Problem} BAD_REQUEST if there is no movie in it, or too many rows. @throws {TooComplex}
 */
export function parseUpload(upload: {
  fileName: string
  bytes: Uint8Array
  format?: ImportFormat | undefined
}): Parsed {
  const files = readTextFiles(upload.fileName, upload.bytes)
  const contents = files.map((file) => ({
    file: file.isZipped ? file.name : null,
    ...readContent(file, upload.format),
  }))
  const rows = joinSeen(contents.flatMap(({ file, rows: own }) => own.map((row) => ({ ...row, file }))))
  const problems = contents.flatMap(({ file, problems: own }) => own.map((problem) => ({ file, ...problem })))
  if (rows.length > MAX_IMPORT_ROWS) {
    throw new Problem('BAD_REQUEST', `The files may have at most ${MAX_IMPORT_ROWS.toLocaleString('en')} rows`)
  }
  const [first] = problems
  if (rows.length === 0) {
    throw new Problem(
      'BAD_REQUEST',
      first ? `No row is a movie. Row ${first.row}: ${first.problem}` : 'The file has no movies',
    )
  }
  return { format: contents[0]?.format ?? 'titles', rows, problems }
}

/** The cells of a table, or the lines of a list, that are looked at. */
const MAX_CELLS = 1_000_000
const SEPARATORS = new Set([',', ';', '\t', '\r', '\n'].map((sign) => sign.charCodeAt(0)))

/** Refuses a text of many small parts before they become many small strings. @throws {TooComplex} */
function requireFewCells(text: string): void {
  let cells = 0
  for (let at = 0; at < text.length; at += 1) {
    if (SEPARATORS.has(text.charCodeAt(at))) cells += 1
    if (cells > MAX_CELLS) throw new TooComplex('A table is too complex')
  }
}

const JSON_FORMATS = new Set<ImportFormat | undefined>(['trakt', 'simkl', 'marquee'])

function readContent({ name, text }: TextFile, format: ImportFormat | undefined): FileContent {
  const isJson = JSON_FORMATS.has(format) || (format === undefined && /^\s*[[{]/u.test(text))
  if (isJson) return readJsonList(text)
  requireFewCells(text)
  if (format === 'titles') return readTitles(text)
  const table = readTable(name, text)
  if (table) return table
  if (format === undefined && !/\.csv$/iu.test(name)) return readTitles(text)
  throw new Problem('BAD_REQUEST', 'The first row of the table must name its columns, one of them Title or Name')
}

/** More movies of one title and year are not compared. */
const MAX_NAMESAKES = 50

/** A movie that was seen, or is on a list of the member, joins the last earlier row of the same movie. */
function joinSeen(rows: readonly ImportedRow[]): ImportedRow[] {
  const joined: Joined[] = []
  const byName = new Map<string, Joined[]>()
  for (const row of rows) {
    const key = `${plainTitle(row.title)} ${row.movie.year}`
    const namesakes = byName.get(key) ?? []
    const same = namesakes.findLast((earlier) => isSame(earlier.row, row))
    if (same) join(same, row)
    else {
      const added = { row, marks: row.mark ? [row.mark] : [] }
      joined.push(added)
      byName.set(key, [...namesakes, added].slice(-MAX_NAMESAKES))
    }
  }
  return joined.map(({ row, marks }) => ({ ...row, mark: joinMarks(marks) }))
}

type Joined = { row: ImportedRow; readonly marks: SeenMark[] }

/** Title and year are the same; ids may tell the movies apart. */
function isSame(one: ImportedRow, other: ImportedRow): boolean {
  return (!isWanted(one) || !isWanted(other)) && compareNamesakes(one.movie, other.movie) !== 'different'
}

/** Whether the member wants to see the movie, also if they have seen it. A list of theirs does not say so. */
function isWanted({ isSeen, file }: ImportedRow): boolean {
  return !isSeen && !isOwnList(file ?? '')
}

/** Of two rows of a movie, the one with the higher weight is kept, else the earlier one. */
function weightOf(row: ImportedRow): number {
  if (isWanted(row)) return 2
  return row.isSeen ? 1 : 0
}

function join(earlier: Joined, row: ImportedRow): void {
  if (row.mark) earlier.marks.push(row.mark)
  const kept = weightOf(row) > weightOf(earlier.row) ? row : earlier.row
  const ids = { ...row.movie.ids, ...earlier.row.movie.ids }
  earlier.row = { ...kept, movie: { ...kept.movie, ids } }
}
