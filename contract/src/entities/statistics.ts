import { z } from 'zod'

import { Card } from './card.ts'
import { Stars } from './viewing.ts'

const count = z.number().int().nonnegative()

/** A movie in a statistic. It is never in the box. */
export const MovieInStatistics = Card.pick({
  id: true,
  title: true,
  imageUrl: true,
  posterState: true,
  creatorId: true,
  statusChangedAt: true,
})
export type MovieInStatistics = z.infer<typeof MovieInStatistics>

/** In stars, with one decimal. `count` is the number of ratings. */
const Rating = z.object({ average: z.number(), count })

const RatedMovie = Rating.extend({ movie: MovieInStatistics, lowest: Stars, highest: Stars })
export type RatedMovie = z.infer<typeof RatedMovie>

/** `vetoed` counts movies, in votes of at least three people. */
const Nights = z.object({
  held: count,
  vetoed: count,
  attendance: z.array(z.object({ username: z.string(), nights: count })),
})

/**
 * What a watchlist has watched in a period: a movie is watched when its card is accepted. `runtimeMinutes` is the sum of
 * the known lengths. `months` begin with the first watched movie and end with the last one, without gaps. A movie that an
 * earlier version restored with a time before 1970 or after tomorrow counts, but has no month.
 * `suggesters` begin with the most watched movies. Ratings are those of movies that the caller has marked as seen;
 * `mostLoved` and `mostDivisive` have movies with at least two. `longestWaits` are the movies that were revealed in the period after
 * the longest time in the box. `lastMovies` are the last 24 watched, oldest first.
 * `fairness` has the draws whose rule picks a person: how often it was expected to pick each, and how often it did.
 * `due` has all members, at all times: the one whose last movie was watched longest ago first.
 */
export const Statistics = z.object({
  watched: z.object({ movies: count, runtimeMinutes: count, moviesWithoutRuntime: count }),
  putBack: count,
  declined: count,
  months: z.array(z.object({ month: z.string().regex(/^\d{4}-\d{2}$/u), movies: count, runtimeMinutes: count })),
  suggesters: z.array(z.object({ username: z.string(), movies: count, rating: Rating.nullable() })),
  mostLoved: z.array(RatedMovie),
  mostDivisive: z.array(RatedMovie),
  longestWaits: z.array(z.object({ movie: MovieInStatistics, days: count })),
  // A server of the previous version does not send these two.
  nights: Nights.default({ held: 0, vetoed: 0, attendance: [] }),
  fairness: z.array(z.object({ username: z.string(), expected: z.number().nonnegative(), actual: count })).default([]),
  due: z.array(
    z.object({ username: z.string(), joinedAt: z.iso.datetime(), lastWatchedAt: z.iso.datetime().nullable() }),
  ),
  firstMovie: MovieInStatistics.nullable(),
  lastMovie: MovieInStatistics.nullable(),
  lastMovies: z.array(MovieInStatistics),
})
export type Statistics = z.infer<typeof Statistics>
