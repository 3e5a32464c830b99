import { z } from 'zod'

/**
 * What may arrive over the event stream of a watchlist. Events say what changed by id and carry no data: the browser
 * fetches it again, with its own rights.
 */
export const LIVE_EVENT_KINDS = [
  'watchlist-changed',
  'watchlist-deleted',
  'members-changed',
  'invitations-changed',
  'box-changed',
  'card-revealed',
  'card-changed',
  'card-deleted',
  'comments-changed',
] as const

export const LiveEvent = z.object({
  kind: z.enum(LIVE_EVENT_KINDS),
  watchlistId: z.string(),
  cardId: z.string().optional(),
  /** The username of who did it; never with `box-changed`. */
  by: z.string().optional(),
})
export type LiveEvent = z.infer<typeof LiveEvent>

/** What may be published: a change of the box does not say whose it is, since that tells who fills it. */
export type PublishedEvent =
  | { kind: 'box-changed'; watchlistId: string }
  // No member did it: the poster of the card was copied.
  | { kind: 'card-changed'; watchlistId: string; cardId: string }
  | (LiveEvent & { kind: Exclude<LiveEvent['kind'], 'box-changed'>; by: string })

/** How often the stream shows that it is alive, in milliseconds. */
export const HEARTBEAT_MS = 20_000
