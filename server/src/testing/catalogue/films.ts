import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Facts of a real film. `ids` has only those that are certain. */
export type Film = {
  readonly title: string
  readonly year: number
  readonly minutes: number
  readonly language: string
  readonly genres: readonly string[]
  readonly directors: readonly string[]
  readonly ids: Readonly<Record<'wikidata' | 'tmdb' | 'imdb' | 'letterboxd', string | undefined>>
  readonly originalTitle: string
  readonly german: string | undefined
}

const [, ...LINES] = readFileSync(join(import.meta.dirname, 'films.csv'), 'utf8')
  .trim()
  .split('\n')

/** Real films, the best known first. */
export const FILMS: readonly Film[] = LINES.map((line) => {
  const [title = '', year, minutes, language = '', genres = '', directors = '', ...others] = line.split(/; ?/u)
  const [wikidata, tmdb, imdb, letterboxd, original, german] = others.map((cell) => cell || undefined)
  return {
    title,
    year: Number(year),
    minutes: Number(minutes),
    language,
    genres: genres.split(', '),
    directors: directors.split(', '),
    ids: { wikidata, tmdb, imdb, letterboxd },
    originalTitle: original ?? title,
    german,
  }
})
