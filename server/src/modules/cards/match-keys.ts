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
  for (const service of SERVICES) {
    if (ids[service] !== undefined && other.ids[service] !== undefined) return ids[service] === other.ids[service]
  }
  return year === null || other.year === null || year === other.year
}
