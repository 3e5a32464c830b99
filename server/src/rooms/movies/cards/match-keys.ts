import type { Movie, MovieIds } from '@marquee/contract/entities/movie'

import { titleKey } from '../catalogue/service.ts'

/** Most movies have the first. */
const SERVICES = ['imdb', 'tmdb', 'wikidata', 'letterboxd'] as const

/** What identifies a movie: its ids at services, and its titles and year. */
export type MovieIdentity = {
  readonly ids: MovieIds
  readonly titles: readonly string[]
  readonly year: number | null
}

/** The ids of a movie as keys. A card has the first of its movie. */
export function movieKeys(ids: MovieIds): string[] {
  return SERVICES.flatMap((service) => (ids[service] === undefined ? [] : `${service}:${ids[service]}`))
}

/** The keys of a title: equal but for case, accents and punctuation, or for case only. */
export function titleKeys(title: string): string[] {
  return [titleKey(title), title.toLowerCase()].filter((key) => key !== '')
}

/** Whether a card with one of the titles is about this movie. Facts that one of them lacks say nothing. */
export function isSameMovie({ ids, year }: MovieIdentity, other: Movie | null): boolean {
  if (other === null) return true
  return haveSameId(ids, other.ids) ?? (year === null || other.year === null || year === other.year)
}

/** Whether two members describe one movie: by an id that both give, else by title and year. */
export function describeSameMovie(one: Described, other: Described): boolean {
  const isSameId = haveSameId(one.movie?.ids ?? {}, other.movie?.ids ?? {})
  if (isSameId !== undefined) return isSameId
  const keys = new Set(titlesOf(one).flatMap(titleKeys))
  const hasTitle = titlesOf(other)
    .flatMap(titleKeys)
    .some((key) => keys.has(key))
  return hasTitle && isSameMovie({ ids: {}, titles: [], year: one.movie?.year ?? null }, other.movie)
}

type Described = { readonly title: string; readonly movie: Movie | null }

function titlesOf({ title, movie }: Described): string[] {
  return movie?.originalTitle ? [title, movie.originalTitle] : [title]
}

/** Undefined if no service has an id of both. */
function haveSameId(ids: MovieIds, others: MovieIds): boolean | undefined {
  const service = SERVICES.find((name) => ids[name] !== undefined && others[name] !== undefined)
  return service && ids[service] === others[service]
}
