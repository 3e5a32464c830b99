import { z } from 'zod'

import { Country } from './streaming-service.ts'

export const Member = z.object({ username: z.string(), joinedAt: z.iso.datetime() })
export type Member = z.infer<typeof Member>

/**
 * A watchlist. `ownerId` is a username. Members are in the order in which they joined. Any user who knows the id may read
 * it, unless `isPrivate`.
 */
export const Watchlist = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  ownerId: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  hasImage: z.boolean(),
  fullImageUrl: z.string().nullable(),
  isPrivate: z.boolean(),
  members: z.array(Member).nullable(),
  /** In which the members watch; absent until one was chosen. */
  country: Country.optional(),
})
export type Watchlist = z.infer<typeof Watchlist>

export const CurrentWatchlist = z.object({ currentWatchlistId: z.string().nullable() })
export type CurrentWatchlist = z.infer<typeof CurrentWatchlist>
