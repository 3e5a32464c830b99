import type { Movie } from '@marquee/contract/entities/movie'

import { compareNamesakes, isAlike, movieKeys, plainTitle, plainTitlesOf } from '../same-movie/service.ts'
import type { ServerMovie } from './adapters/port.ts'
import { type MovieRow, TITLE } from './store.ts'

/** A card, as it is compared with the movies of servers. */
export type ComparedMovie = {
  readonly cardId: string
  readonly title: string
  readonly movie: Pick<Movie, 'ids' | 'originalTitle' | 'year'> | null
}

type Named = Pick<MovieRow, 'movie_key' | 'item_id' | 'year'>

/** The keys by which a movie of a server is found: its ids, or its title if it has none. */
export function rowsOf({ itemId, title, year, tmdbId, imdbId, wikidataId }: ServerMovie): Named[] {
  const keys = movieKeys({
    ...(tmdbId !== null && { tmdb: tmdbId }),
    ...(imdbId !== null && { imdb: imdbId }),
    ...(wikidataId !== null && { wikidata: wikidataId }),
  })
  const found = keys.length > 0 ? keys : [titleKey(plainTitle(title))]
  return found.map((key) => ({ movie_key: key, item_id: itemId, year }))
}

/** The keys under which a server may have the movie of a card. */
export function keysOf(card: ComparedMovie): string[] {
  return [...idKeysOf(card), ...plainTitlesOf(card).map(titleKey)]
}

/** The same if the server has an id of each of its movies. */
export function idKeysOf({ movie }: ComparedMovie): string[] {
  return movieKeys(movie?.ids ?? {})
}

/** Whether a movie that a server has under one of the keys of a card is that of the card. A title counts only with its year. */
export function isMovieOf({ movie }: ComparedMovie, { movie_key: key, year }: Named): boolean {
  return !key.startsWith(TITLE) || isAlike(compareNamesakes(movie, { ids: {}, originalTitle: null, year }))
}

/** Whether a card has a movie that a server has named. */
export function isSameMovie(card: ComparedMovie, movie: ServerMovie): boolean {
  const keys = new Set(keysOf(card))
  return rowsOf(movie).some((row) => keys.has(row.movie_key) && isMovieOf(card, row))
}

/** PostgreSQL cannot store NUL, which is left of a title of signs only. */
function titleKey(plain: string): string {
  return `${TITLE}${plain.replaceAll('\u0000', '')}`
}
