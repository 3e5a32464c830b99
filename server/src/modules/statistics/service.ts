import type { MovieInStatistics, Statistics } from '@marquee/contract/entities/statistics'

import {
  type CardPorts,
  countDecisions,
  countWatched,
  findLongestWaits,
  findMovies,
  listSuggesters,
  listWatched,
  type Suggester,
  type WatchedCount,
} from '../cards/service.ts'
import { sumShares } from '../draws/service.ts'
import { countNights } from '../nights/service.ts'
import { type Access, getWatchlist } from '../watchlists/service.ts'
import type { User } from '../profiles/service.ts'
import { monthsBetween, type PeriodQuery, readPeriod, type Span } from './period.ts'
import { ratingsIn } from './ratings.ts'

const LONGEST_WAITS = 5
const LAST_MOVIES = 24
const DAY_S = 86_400

/**
 * What a watchlist has watched in a period, and its movie nights and draws. No card in the box counts.
 * @throws {Problem} BAD_REQUEST if the period is invalid.
 */
export async function getStatistics(
  ports: CardPorts,
  { userId }: User,
  access: Access,
  query: PeriodQuery,
): Promise<Statistics> {
  const db = ports.database.read
  const { watchlistId } = access
  const period = readPeriod(query)
  const [first] = await listWatched(db, watchlistId, period, { which: 'first', limit: 1 })
  const lastOnes = await listWatched(db, watchlistId, period, { which: 'last', limit: LAST_MOVIES })
  const [last] = lastOnes
  const months = first && last ? monthsBetween(first.at, last.at, { period, timeZone: query.timeZone }) : []
  const suggesters = await listSuggesters(db, watchlistId)
  const usernames = suggesters.map(({ username }) => username)
  const counts = await countWatched(db, watchlistId, { usernames, spans: months })
  const movies = await findMovies(
    ports,
    watchlistId,
    [...(first ? [first] : []), ...lastOnes].map(({ id }) => id),
  )
  const { mostLoved, mostDivisive, bySuggester } = await ratingsIn(ports, { watchlistId, userId, period })
  return {
    watched: {
      ...sumOf(counts),
      moviesWithoutRuntime: counts.reduce((sum, { moviesWithoutRuntime }) => sum + moviesWithoutRuntime, 0),
    },
    ...(await countDecisions(db, watchlistId, period)),
    months: [...Map.groupBy(counts, ({ name }) => name)].map(([month, of]) => ({ month, ...sumOf(of) })),
    suggesters: [...Map.groupBy(counts, ({ username }) => username)]
      .map(([username, own]) => ({ username, movies: sumOf(own).movies, rating: bySuggester.get(username) ?? null }))
      .filter((suggester) => suggester.movies > 0)
      .toSorted((one, other) => other.movies - one.movies || compare(one.username, other.username)),
    mostLoved,
    mostDivisive,
    longestWaits: await longestWaits(ports, watchlistId, period),
    nights: await countNights(db, watchlistId, period),
    fairness: (await sumShares(db, watchlistId, period)).map((share) => ({
      ...share,
      expected: Math.round(share.expected * 10) / 10,
    })),
    due: await membersByTurn(ports, access, suggesters),
    firstMovie: movies.get(first?.id ?? '') ?? null,
    lastMovie: movies.get(last?.id ?? '') ?? null,
    lastMovies: lastOnes.toReversed().flatMap(({ id }) => movies.get(id) ?? []),
  }
}

function sumOf(
  counts: readonly Pick<WatchedCount, 'movies' | 'minutes'>[],
): Pick<Statistics['watched'], 'movies' | 'runtimeMinutes'> {
  return {
    movies: counts.reduce((sum, { movies }) => sum + movies, 0),
    runtimeMinutes: counts.reduce((sum, { minutes }) => sum + minutes, 0),
  }
}

/** The movies that waited in the box for at least a day. */
async function longestWaits(ports: CardPorts, watchlistId: string, period: Span): Promise<Statistics['longestWaits']> {
  for (let limit = 4 * LONGEST_WAITS; ; limit *= 10) {
    const waits = await findLongestWaits(ports.database.read, watchlistId, period, limit)
    const ids = waits.map(({ id }) => id)
    const movies: Map<string, MovieInStatistics> = await findMovies(ports, watchlistId, ids)
    const shown = waits.flatMap(({ id, seconds }) => {
      const movie = movies.get(id)
      return movie === undefined || seconds < DAY_S ? [] : [{ movie, days: Math.floor(seconds / DAY_S) }]
    })
    // Cards that went back into the box are left out, so more may have to be looked at.
    if (shown.length >= LONGEST_WAITS || waits.length < limit || (waits.at(-1)?.seconds ?? 0) < DAY_S) {
      return shown.slice(0, LONGEST_WAITS)
    }
  }
}

/** First the members without a watched movie, in the order they joined, then those whose last one is longest ago. */
async function membersByTurn(
  ports: CardPorts,
  access: Access,
  suggesters: readonly Suggester[],
): Promise<Statistics['due']> {
  const { members } = await getWatchlist(ports, access)
  const lastOf = new Map(suggesters.map(({ username, lastWatchedAt }) => [username, lastWatchedAt]))
  return (members ?? [])
    .map(({ username, joinedAt }) => ({ username, joinedAt, lastWatchedAt: lastOf.get(username) ?? null }))
    .toSorted(
      (one, other) =>
        compare(one.lastWatchedAt ?? '', other.lastWatchedAt ?? '') || compare(one.joinedAt, other.joinedAt),
    )
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
