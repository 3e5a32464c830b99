import { Movie } from '@marquee/contract/entities/movie'
import { z } from 'zod'

import { chipNames } from '#web/ui/chips.ts'

const Chips = z.object({ chosen: z.array(z.string()).readonly(), typed: z.string() })

/** The facts of a movie as the fields of a form hold them. */
export const FactsValues = z.object({
  year: z.string(),
  runtimeMinutes: z.string(),
  genres: Chips,
  directors: Chips,
  originalTitle: z.string(),
})
export type FactsValues = z.infer<typeof FactsValues>

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
