import { z } from 'zod'

import { NightFilm } from './night.ts'

/** A rating: half a star to five stars, in steps of half a star. */
export const Stars = z.number().min(0.5).max(5).multipleOf(0.5)

/** That a member has seen a movie. `stars` is null if they gave no rating, `seenOn` if they did not say when. */
export const Viewing = z.object({
  username: z.string(),
  seenOn: z.iso.date().nullable(),
  stars: Stars.nullable(),
  note: z.string().nullable(),
  changedAt: z.iso.datetime(),
})
export type Viewing = z.infer<typeof Viewing>

/**
 * Who has seen the movie of a card. `ratings` is null until the caller has rated the movie, or marked it as seen without a
 * rating; a mark that a movie night or a media server made is neither. `average` has one decimal and is null if no one rated it. `night` is the
 * movie night in which the card was accepted; null if it was in none. `markedBy` is the id of the media server that made the
 * mark of the caller; null for other marks, and once the caller has changed it.
 */
export const CardViewings = z.object({
  cardId: z.string(),
  seenBy: z.array(z.string()),
  own: Viewing.nullable(),
  ratings: z
    .object({
      average: z.number().nullable(),
      count: z.number().int().nonnegative(),
      others: z.array(Viewing),
    })
    .nullable(),
  night: NightFilm.pick({ acceptedAt: true, watchedBy: true }).nullable(),
  markedBy: z.string().nullable().default(null),
})
export type CardViewings = z.infer<typeof CardViewings>

export const CardViewingsList = z.object({ cards: z.array(CardViewings) })
