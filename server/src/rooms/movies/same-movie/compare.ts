import type { Movie } from '@marquee/contract/entities/movie'

import { plainTitle, SERVICES } from './names.ts'

type Facts = Pick<Movie, 'ids' | 'originalTitle' | 'year'>

/** A movie with its facts, as far as they are known. */
export type Titled = { readonly title: string; readonly movie: Facts | null }

/** The year is missing if only one of the two movies has one. Services often differ by a year. */
export type Likeness = 'same' | 'year missing' | 'year apart' | 'different'

/** A member who leaves out the year means the movie all the same. */
export function isAlike(likeness: Likeness): boolean {
  return likeness === 'same' || likeness === 'year missing'
}

/** Whether two descriptions are of the same movie: an id that both have decides, else title and year do. */
export function compareMovies(one: Titled, other: Titled): Likeness {
  const titles = new Set(plainTitlesOf(one))
  const hasTitle = plainTitlesOf(other).some((title) => titles.has(title))
  return hasTitle ? compareNamesakes(one.movie, other.movie) : (compareIds(one.movie, other.movie) ?? 'different')
}

/** The same for two movies that have a title in common. */
export function compareNamesakes(one: Facts | null, other: Facts | null): Likeness {
  const byIds = compareIds(one, other)
  if (byIds !== undefined) return byIds
  const [year = null, otherYear = null] = [one?.year, other?.year]
  if (year === otherYear) return 'same'
  if (year === null || otherYear === null) return 'year missing'
  return Math.abs(year - otherYear) === 1 ? 'year apart' : 'different'
}

/** The titles of a movie for comparison; two movies match by title if they have one in common. */
export function plainTitlesOf({ title, movie }: Titled): string[] {
  const titles = new Set([title, movie?.originalTitle ?? title])
  return [...new Set([...titles].map(plainTitle))]
}

/** Undefined if no service has an id of both. */
function compareIds(one: Facts | null, other: Facts | null): 'same' | 'different' | undefined {
  const known = SERVICES.filter((service) => one?.ids[service] !== undefined && other?.ids[service] !== undefined)
  if (known.length === 0) return undefined
  return known.some((service) => one?.ids[service] === other?.ids[service]) ? 'same' : 'different'
}
