import type { RatedMovie, Statistics } from '@marquee/contract/entities/statistics'

import { type CardPorts, findMovies, listWatchedAmong } from '../cards/service.ts'
import { type RatingSum, sumRatings } from '../viewings/service.ts'
import type { Span } from './period.ts'

const SHOWN_MOVIES = 3
/** The opinion of one member is no comparison. */
const MIN_RATINGS = 2
/** In half stars. */
const MIN_DIFFERENCE = 2

type Rated = RatingSum & { username: string }

/**
 * How the watched movies of a period are rated. As on the cards, it has the ratings only of movies that the user has marked as
 * seen.
 */
export async function ratingsIn(
  ports: Pick<CardPorts, 'database' | 'images'>,
  { watchlistId, userId, period }: { watchlistId: string; userId: string; period: Span },
): Promise<Pick<Statistics, 'mostLoved' | 'mostDivisive'> & { bySuggester: Map<string, Rating> }> {
  const db = ports.database.read
  const sums = new Map((await sumRatings(db, watchlistId, userId)).map((sum) => [sum.cardId, sum]))
  const watched = await listWatchedAmong(db, watchlistId, [...sums.keys()], period)
  const rated = watched.flatMap(({ id, username }): Rated[] => {
    const sum = sums.get(id)
    return sum ? [{ ...sum, username }] : []
  })
  const compared = rated.filter(({ count }) => count >= MIN_RATINGS)
  const loved = first(
    compared,
    (one, other) => other.sum / other.count - one.sum / one.count || other.count - one.count,
  )
  const divisive = first(
    compared.filter(({ lowest, highest }) => highest - lowest >= MIN_DIFFERENCE),
    (one, other) => varianceOf(other) - varianceOf(one) || other.count - one.count,
  )
  const movies = await findMovies(
    ports,
    watchlistId,
    [...loved, ...divisive].map(({ cardId }) => cardId),
  )
  const shown = (list: readonly Rated[]): RatedMovie[] =>
    list.flatMap((of) => {
      const movie = movies.get(of.cardId)
      return movie ? [{ movie, ...ratingOf([of]), lowest: of.lowest / 2, highest: of.highest / 2 }] : []
    })
  return {
    mostLoved: shown(loved),
    mostDivisive: shown(divisive),
    bySuggester: new Map(
      [...Map.groupBy(rated, ({ username }) => username)].map(([username, own]) => [username, ratingOf(own)]),
    ),
  }
}

/** In stars, with one decimal. */
type Rating = { average: number; count: number }

function ratingOf(sums: readonly RatingSum[]): Rating {
  const count = sums.reduce((total, sum) => total + sum.count, 0)
  const halfStars = sums.reduce((total, { sum }) => total + sum, 0)
  return { average: Math.round((halfStars / 2 / count) * 10) / 10, count }
}

function varianceOf({ count, sum, squares }: RatingSum): number {
  return squares / count - (sum / count) ** 2
}

/** Equals are in the order in which their cards were added. */
function first(rated: readonly Rated[], order: (one: Rated, other: Rated) => number): Rated[] {
  return rated
    .toSorted((one, other) => order(one, other) || (one.cardId < other.cardId ? -1 : 1))
    .slice(0, SHOWN_MOVIES)
}
