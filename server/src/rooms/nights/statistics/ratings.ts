import type { RatedMovie, Statistics } from '@marquee/contract/entities/statistics'

import { type CardPorts, findMovies, type KeyRange, listWatchedIn } from '../../movies/cards/service.ts'
import { type RatingSum, sumRatings } from '../../movies/viewings/service.ts'
import type { Span } from './period.ts'

const SHOWN_MOVIES = 3
/** The opinion of one member is not a comparison. */
const MIN_RATINGS = 2
/** In half stars. */
const MIN_DIFFERENCE = 2

type Rated = RatingSum & { username: string }

/**
 * How the watched movies of a period are rated, counted range by range. As on the cards, it has the ratings only of movies that
 * the user has marked as seen.
 */
export function ratingCounter(
  ports: Pick<CardPorts, 'database' | 'images'>,
  { watchlistId, userId, period }: { watchlistId: string; userId: string; period: Span },
) {
  const db = ports.database.read
  const bySuggester = new Map<string, { count: number; sum: number }>()
  let loved: Rated[] = []
  let divisive: Rated[] = []
  return {
    add: async (range: KeyRange): Promise<void> => {
      const sums = new Map((await sumRatings(db, { watchlistId, userId }, range)).map((sum) => [sum.cardId, sum]))
      if (sums.size === 0) return
      const watched = await listWatchedIn(db, watchlistId, range, period)
      const rated = watched.flatMap(({ id, username }): Rated[] => {
        const sum = sums.get(id)
        return sum ? [{ ...sum, username }] : []
      })
      for (const { username, count, sum } of rated) {
        const before = bySuggester.get(username) ?? { count: 0, sum: 0 }
        bySuggester.set(username, { count: before.count + count, sum: before.sum + sum })
      }
      const compared = rated.filter(({ count }) => count >= MIN_RATINGS)
      loved = first([...loved, ...compared], byAverage)
      divisive = first([...divisive, ...compared.filter(isDivisive)], byVariance)
    },
    result: async () => await present(ports, watchlistId, { loved, divisive, bySuggester }),
  }
}

const isDivisive = ({ highest, lowest }: Rated): boolean => highest - lowest >= MIN_DIFFERENCE
const byAverage = (one: Rated, other: Rated): number =>
  other.sum / other.count - one.sum / one.count || other.count - one.count
const byVariance = (one: Rated, other: Rated): number => varianceOf(other) - varianceOf(one) || other.count - one.count

async function present(
  ports: Pick<CardPorts, 'database' | 'images'>,
  watchlistId: string,
  { loved, divisive, bySuggester }: { loved: Rated[]; divisive: Rated[]; bySuggester: Map<string, HalfStars> },
): Promise<Pick<Statistics, 'mostLoved' | 'mostDivisive'> & { bySuggester: Map<string, Rating> }> {
  const movies = await findMovies(
    ports,
    watchlistId,
    [...loved, ...divisive].map(({ cardId }) => cardId),
  )
  const shown = (list: readonly Rated[]): RatedMovie[] =>
    list.flatMap((of) => {
      const movie = movies.get(of.cardId)
      return movie ? [{ movie, ...ratingOf(of), lowest: of.lowest / 2, highest: of.highest / 2 }] : []
    })
  return {
    mostLoved: shown(loved),
    mostDivisive: shown(divisive),
    bySuggester: new Map([...bySuggester].map(([username, sums]) => [username, ratingOf(sums)])),
  }
}

type HalfStars = Pick<RatingSum, 'count' | 'sum'>

/** In stars, with one decimal. */
type Rating = { average: number; count: number }

function ratingOf({ count, sum }: HalfStars): Rating {
  return { average: Math.round((sum / 2 / count) * 10) / 10, count }
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
