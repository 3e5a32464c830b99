import { Movie } from '@marquee/contract/entities/movie'

/** The facts of a movie as text fields hold them. Names are separated by commas. */
export type FactsValues = {
  year: string
  runtimeMinutes: string
  genres: string
  directors: string
  originalTitle: string
}

export const FACT_NAMES = ['year', 'runtimeMinutes', 'genres', 'directors', 'originalTitle'] as const
export type FactName = (typeof FACT_NAMES)[number]

const numberText = (value: number | null | undefined): string => String(value ?? '')
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))
const namesOf = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export function factsValues(movie: Movie | null): FactsValues {
  return {
    year: numberText(movie?.year),
    runtimeMinutes: numberText(movie?.runtimeMinutes),
    genres: movie?.genres.join(', ') ?? '',
    directors: movie?.directors.join(', ') ?? '',
    originalTitle: movie?.originalTitle ?? '',
  }
}

/** The movie with the facts as they were edited. They may be invalid. */
export function withFacts(movie: Movie, facts: FactsValues): Movie {
  const before = factsValues(movie)
  return {
    ...movie,
    year: numberOf(facts.year),
    runtimeMinutes: numberOf(facts.runtimeMinutes),
    // A name may have a comma of its own.
    genres: facts.genres === before.genres ? movie.genres : namesOf(facts.genres),
    directors: facts.directors === before.directors ? movie.directors : namesOf(facts.directors),
    originalTitle: facts.originalTitle.trim() === '' ? null : facts.originalTitle.trim(),
  }
}

/** The first fact that the contract rejects. */
export function wrongFact(movie: Movie, facts: FactsValues): FactName | undefined {
  const edited = withFacts(movie, facts)
  return FACT_NAMES.find((name) => !Movie.shape[name].safeParse(edited[name]).success)
}
