import type { MovieInStatistics, Statistics } from '@marquee/contract/entities/statistics'
import type { AnyDb } from '@marquee/platform/database/database'
import { DAY_MS } from '@marquee/platform/runtime/durations'
import { nextTurn } from '@marquee/platform/runtime/turns'

import {
  type CardPorts,
  countDecisions,
  countedRanges,
  countWatched,
  findLongestWaits,
  findMovies,
  listSuggesters,
  listWatched,
  type Suggester,
  type Wait,
  type WatchedCount,
} from '../../movies/cards/service.ts'
import { sumShares } from '../../draws/service.ts'
import { countNights } from '../nights/service.ts'
import { type Access, getWatchlist } from '../../club/watchlists/service.ts'
import type { User } from '../../club/people/service.ts'
import { monthsBetween, type NamedSpan, type PeriodQuery, readPeriod, type Span } from './period.ts'
import { ratingCounter } from './ratings.ts'

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
  const latest = new Date(ports.clock.now().getTime() + DAY_MS).toISOString()
  const { months, rest } =
    first && last
      ? monthsBetween(first.at, last.at, { period, timeZone: query.timeZone, latest })
      : { months: [], rest: [] }
  await nextTurn()
  const suggesters = await listSuggesters(db, watchlistId)
  const counts = await countOf(db, watchlistId, suggesters, [...months, ...rest])
  const countsOf = Map.groupBy(counts, ({ name }) => name)
  const movies = await findMovies(
    ports,
    watchlistId,
    [...(first ? [first] : []), ...lastOnes].map(({ id }) => id),
  )
  const { ratings, waits } = await compareCards(ports, { watchlistId, userId, period })
  const { mostLoved, mostDivisive, bySuggester } = ratings
  return {
    watched: {
      ...sumOf(counts),
      moviesWithoutRuntime: counts.reduce((sum, { moviesWithoutRuntime }) => sum + moviesWithoutRuntime, 0),
    },
    ...(await countDecisions(db, watchlistId, period)),
    months: months.map(({ name }) => ({ month: name, ...sumOf(countsOf.get(name) ?? []) })),
    suggesters: [...Map.groupBy(counts, ({ username }) => username)]
      .map(([username, own]) => ({ username, movies: sumOf(own).movies, rating: bySuggester.get(username) ?? null }))
      .toSorted((one, other) => other.movies - one.movies || compare(one.username, other.username)),
    mostLoved,
    mostDivisive,
    longestWaits: await presentWaits(ports, watchlistId, waits),
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

/** What each suggester has watched in each span, without empty counts. */
async function countOf(
  db: AnyDb,
  watchlistId: string,
  suggesters: readonly Suggester[],
  spans: readonly NamedSpan[],
): Promise<WatchedCount[]> {
  const counts: WatchedCount[] = []
  for (const { username } of suggesters) {
    await nextTurn()
    const own = await countWatched(db, watchlistId, { usernames: [username], spans })
    counts.push(...own.filter(({ movies }) => movies > 0))
  }
  return counts
}

/** Goes once through all cards of the period, for the ratings and the longest waits. */
async function compareCards(ports: CardPorts, of: { watchlistId: string; userId: string; period: Span }) {
  const db = ports.database.read
  const { watchlistId, period } = of
  const ratings = ratingCounter(ports, of)
  let waits: Wait[] = []
  for await (const range of countedRanges(db, watchlistId)) {
    await ratings.add(range)
    // No shorter than those that are shown so far.
    const atLeast = waits[LONGEST_WAITS - 1]?.seconds ?? DAY_S
    const found = await findLongestWaits(db, watchlistId, period, { range, atLeast, limit: LONGEST_WAITS })
    waits = [...waits, ...found].toSorted(byLength).slice(0, LONGEST_WAITS)
  }
  return { ratings: await ratings.result(), waits }
}

function sumOf(
  counts: readonly Pick<WatchedCount, 'movies' | 'minutes'>[],
): Pick<Statistics['watched'], 'movies' | 'runtimeMinutes'> {
  return {
    movies: counts.reduce((sum, { movies }) => sum + movies, 0),
    runtimeMinutes: counts.reduce((sum, { minutes }) => sum + minutes, 0),
  }
}

function byLength(one: Wait, other: Wait): number {
  return other.seconds - one.seconds || compare(one.id, other.id)
}

/** The movies that waited in the box for at least a day. */
async function presentWaits(
  ports: CardPorts,
  watchlistId: string,
  waits: readonly Wait[],
): Promise<Statistics['longestWaits']> {
  const movies: Map<string, MovieInStatistics> = await findMovies(
    ports,
    watchlistId,
    waits.map(({ id }) => id),
  )
  return waits.flatMap(({ id, seconds }) => {
    const movie = movies.get(id)
    return movie ? [{ movie, days: Math.floor(seconds / DAY_S) }] : []
  })
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
