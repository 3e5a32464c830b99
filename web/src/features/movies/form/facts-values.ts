import { Movie } from '@marquee/contract/entities/movie'

import { chipNames, type Chips } from '#web/ui/chips.ts'

/** The facts of a movie as the fields of a form hold them. */
export type FactsValues = {
  year: string
  runtimeMinutes: string
  genres: Chips
  directors: Chips
  originalTitle: string
}

export const FACT_NAMES = ['year', 'runtimeMinutes', 'genres', 'directors', 'originalTitle'] as const
export type FactName = (typeof FACT_NAMES)[number]

const numberText = (value: number | null | undefined): string => String(value ?? '')
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

export function factsValues(movie: Movie | null): FactsValues {
  return {
    year: numberText(movie?.year),
    runtimeMinutes: numberText(movie?.runtimeMinutes),
    genres: { chosen: movie?.genres ?? [], typed: '' },
    directors: { chosen: movie?.directors ?? [], typed: '' },
    originalTitle: movie?.originalTitle ?? '',
  }
}

/** The movie with the facts as they were edited. They may be invalid. */
export function withFacts(movie: Movie, facts: FactsValues): Movie {
  return {
    ...movie,
    year: numberOf(facts.year),
    runtimeMinutes: numberOf(facts.runtimeMinutes),
    genres: chipNames(facts.genres),
    directors: chipNames(facts.directors),
    originalTitle: facts.originalTitle.trim() === '' ? null : facts.originalTitle.trim(),
  }
}

/** The first fact that the contract rejects. */
export function wrongFact(movie: Movie, facts: FactsValues): FactName | undefined {
  const edited = withFacts(movie, facts)
  return FACT_NAMES.find((name) => !Movie.shape[name].safeParse(edited[name]).success)
}
