import { MOVIE_YEARS } from '@marquee/contract/limits'

import { foldWords, titleKey, wordsOf } from '../same-movie/service.ts'

/** A search as typed, in lower-case words, and the year at its end if there is one: "Alien (1979)". */
export type TitleQuery = { readonly words: readonly string[]; readonly year: number | null }

/** A title with its places in two orders: how well the query matches, and how well known the movie is. */
type Rankable = { readonly titles: readonly (string | null)[]; readonly year: number | null; readonly fame: number }

const EXACT = 3
const PREFIX = 2
const WORDS = 1
const RIGHT_YEAR = 2

export function readQuery(text: string): TitleQuery {
  const words = wordsOf(text)
  return { words, year: words.length > 1 ? yearIn(words.at(-1)) : null }
}

/** The query without its year. The year may also be part of the title: "Blade Runner 2049". */
export function withoutYear({ words, year }: TitleQuery): readonly string[] {
  return year === null ? words : words.slice(0, -1)
}

/** Exact titles first, then those that start with the query; among equals the better known first. */
export function rank<T extends Rankable>(query: TitleQuery, movies: readonly T[]): T[] {
  const scored = movies.map((movie) => ({ movie, score: scoreOf(query, movie) }))
  return scored
    .toSorted((one, other) => other.score - one.score || other.movie.fame - one.movie.fame)
    .map(({ movie }) => movie)
}

function scoreOf(query: TitleQuery, { titles, year }: Rankable): number {
  const asTyped = matchOf(query.words, titles)
  if (query.year === null) return asTyped
  const isRightYear = query.year === year
  const rest = matchOf(withoutYear(query), titles)
  return Math.max(asTyped, isRightYear ? rest + RIGHT_YEAR : Math.min(rest, PREFIX))
}

/** How well the best of the titles matches; 0 if none contains all words, the last of them possibly unfinished. */
export function matchOf(words: readonly string[], titles: readonly (string | null)[]): number {
  const wanted = foldWords(words)
  return Math.max(
    0,
    ...titles.map((title) => {
      const key = titleKey(title ?? '')
      if (key === wanted) return EXACT
      if (key.startsWith(wanted)) return PREFIX
      const parts = key.split(' ')
      return wanted.split(' ').every((word) => parts.some((part) => part.startsWith(word))) ? WORDS : 0
    }),
  )
}

function yearIn(word: string | undefined): number | null {
  const year = /^\d{4}$/u.test(word ?? '') ? Number(word) : 0
  return year >= MOVIE_YEARS.first && year <= MOVIE_YEARS.last ? year : null
}
