import { z } from 'zod'

import { CardContent } from './card-content.ts'
import { Comment } from './comment.ts'
import { Movie } from './movie.ts'

export const CARD_STATUSES = ['SUGGESTED', 'REVEALED', 'WATCHED', 'REJECTED'] as const
export const CardStatus = z.enum(CARD_STATUSES)
export type CardStatus = z.infer<typeof CardStatus>

export const StatusChange = z.object({
  status: CardStatus,
  changedBy: z.string(),
  changedAt: z.iso.datetime(),
})
export type StatusChange = z.infer<typeof StatusChange>

/**
 * A movie card. `creatorId` and `changedBy` are usernames. `statusChanges` are oldest first, `lastComments` newest first
 * and at most three. `selectionIndex` is the slot in the box while the card is SUGGESTED, else null. `posterState` is
 * present only while `imageUrl` is a placeholder: the poster is being copied, could not be copied, or there is none. `movie`
 * is absent on cards without facts. `wantedBy` has the usernames of those who want the movie, the creator first; it is absent in
 * the box, where it is secret, and if only the creator wants it.
 */
export const Card = z.object({
  id: z.string(),
  watchlistId: z.string(),
  ...CardContent.shape,
  imageUrl: z.string(),
  posterState: z.enum(['pending', 'failed', 'none']).optional(),
  status: CardStatus,
  creatorId: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  statusChangedAt: z.iso.datetime(),
  statusChanges: z.array(StatusChange),
  lastComments: z.array(Comment),
  selectionIndex: z.number().int().nonnegative().nullable(),
  wantedBy: z.array(z.string()).optional(),
})
export type Card = z.infer<typeof Card>

export const CardsPage = z.object({ cards: z.array(Card), nextToken: z.string().nullable() })
export type CardsPage = z.infer<typeof CardsPage>

/**
 * A page of the caller's own cards in the box. `count` is how many there are on all pages, `wantCount` how many movies of other
 * cards in the box the caller wants.
 */
export const SuggestionsPage = CardsPage.extend({
  count: z.number().int().nonnegative(),
  wantCount: z.number().int().nonnegative(),
})
export type SuggestionsPage = z.infer<typeof SuggestionsPage>

/** Where a movie already is in a watchlist: its newest card in the feed, and whether it is in the box. */
export const MovieMatch = z.object({
  inFeed: z.object({ cardId: z.string(), status: CardStatus, statusChangedAt: z.iso.datetime() }).nullable(),
  isInBox: z.boolean(),
})
export type MovieMatch = z.infer<typeof MovieMatch>

/**
 * A movie in the box that the caller wants, too, as the caller gave it. It tells nothing of the card, whose title and facts may
 * differ.
 */
export const Want = z.object({
  wantId: z.string(),
  title: z.string(),
  movie: Movie.optional(),
  createdAt: z.iso.datetime(),
})
export type Want = z.infer<typeof Want>

export const WantsPage = z.object({ wants: z.array(Want), nextToken: z.string().nullable() })
export type WantsPage = z.infer<typeof WantsPage>

export const Count = z.object({ count: z.number().int().nonnegative() })
