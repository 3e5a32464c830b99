import { z } from 'zod'

import { CardStatus, StatusChange } from './card.ts'
import { Comment } from './comment.ts'
import { Movie } from './movie.ts'
import { Member } from './watchlist.ts'

export const EXPORT_FORMATS = ['json', 'csv', 'letterboxd'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const ExportedComment = Comment.omit({ commentId: true, cardId: true })

/** A card of the feed, or one of the caller's own in the box. `imageUrl` is the original address of the poster. */
const ExportedCard = z.object({
  title: z.string(),
  description: z.string().nullable(),
  imageUrl: z.string(),
  movie: Movie.optional(),
  status: CardStatus,
  creatorId: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  statusChanges: z.array(StatusChange),
  /** As on the card: absent in the box, and if only the creator wants it. */
  wantedBy: z.array(z.string()).optional(),
  /** All comments, newest first. */
  comments: z.array(ExportedComment),
})
export type ExportedCard = z.infer<typeof ExportedCard>

/**
 * A watchlist as a file. Cards are in the order they were added. It has no ids and no time of its own, so two exports of
 * the same watchlist are equal.
 */
export const WatchlistExport = z.object({
  format: z.enum(['marquee-watchlist']),
  /** Always 1 so far. */
  version: z.number().int().min(1).max(1),
  watchlist: z.object({
    name: z.string(),
    description: z.string().nullable(),
    isPrivate: z.boolean(),
    ownerId: z.string(),
    createdAt: z.iso.datetime(),
    members: z.array(Member),
  }),
  cards: z.array(ExportedCard),
})
export type WatchlistExport = z.infer<typeof WatchlistExport>
