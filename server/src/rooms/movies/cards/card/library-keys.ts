import type { Movie } from '@marquee/contract/entities/movie'

/** Sorts behind every real year or length: the newest year comes first, the shortest movie first. */
export const UNKNOWN_YEAR = 0
export const UNKNOWN_RUNTIME = 1_000_000

/** In bytes. Together with the other columns a key must fit into an entry of an index, 2,700 bytes on PostgreSQL. */
const MAX_TITLE_KEY = 240
const MAX_PEOPLE_KEY = 600
const MAX_GENRE_KEY = 400
/** Further words of a search are ignored. */
const MAX_WORDS = 8

export type LibraryKeys = {
  folded_title: string
  /** The original title and the directors. */
  folded_people: string
  /** Like `|drama|science fiction|`; empty without genres. */
  folded_genres: string
  year: number
  runtime_minutes: number
}

/** What the library searches, filters and sorts a card by. Texts are folded, and cut where they are very long. */
export function libraryKeys(title: string, movie: Movie | null | undefined): LibraryKeys {
  const { originalTitle, directors = [], genres = [], year, runtimeMinutes } = movie ?? {}
  const people = [originalTitle ?? '', ...directors].map(folded).filter((text) => text !== '')
  return {
    folded_title: cut(folded(title), MAX_TITLE_KEY),
    folded_people: cut(people.join('\n'), MAX_PEOPLE_KEY),
    folded_genres: genreKey(genres),
    year: year ?? UNKNOWN_YEAR,
    runtime_minutes: runtimeMinutes ?? UNKNOWN_RUNTIME,
  }
}

function genreKey(genres: readonly string[]): string {
  const fitting: string[] = []
  for (const genre of genres) {
    if (Buffer.byteLength([...fitting, folded(genre)].join('|')) > MAX_GENRE_KEY) break
    fitting.push(folded(genre))
  }
  return fitting.length === 0 ? '' : `|${fitting.join('|')}|`
}

/** The pattern of LIKE for a genre, with `\` as its escape character. */
export function genrePattern(genre: string): string {
  return `%|${escaped(folded(genre))}|%`
}

/** A word of a search. */
export type SearchWord = {
  /** Of LIKE, on a text with a space before each word. */
  pattern: string
  /** The index has the words from `from` to before `to`; undefined if the word may be anywhere in them. */
  range: { from: string; to: string } | undefined
}

// These scripts do not separate all words by spaces, or write articles as part of a word.
const WITHIN_WORDS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Arabic}\p{scx=Hebrew}]/u

export function searchWords(query: string): SearchWord[] {
  const words = folded(query)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
  return words.map((word) =>
    WITHIN_WORDS.test(word)
      ? { pattern: `%${escaped(word)}%`, range: undefined }
      : { pattern: `% ${escaped(word)}%`, range: { from: word, to: `${word}\u{10FFFF}` } },
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/gu, String.raw`\$&`)
}

/** The beginning of a text, at most so many bytes and without half a character. */
function cut(text: string, bytes: number): string {
  const buffer = Buffer.from(text)
  return buffer.length <= bytes
    ? text
    : buffer
        .subarray(0, bytes)
        .toString()
        .replace(/\uFFFD+$/u, '')
}

/**
 * A text as it is searched and sorted: without accents, case and punctuation, words separated by one space. A text of
 * symbols alone keeps them.
 */
function folded(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
  const words = plain.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return words === '' ? plain.trim() : words
}
