import { z } from 'zod'

/**
 * The events of a watchlist. They carry ids and no data: the browser fetches what changed, with its own rights. Each stream
 * of a user also has `notifications-changed`, about notifications of any watchlist. Their own stream has nothing else.
 */
export const LIVE_EVENT_KINDS = [
  'watchlist-changed',
  'watchlist-deleted',
  'members-changed',
  'invitations-changed',
  'box-changed',
  'draws-changed',
  'card-revealed',
  'card-changed',
  'card-deleted',
  'comments-changed',
  'viewings-changed',
  'servers-changed',
  'requests-changed',
  'nights-changed',
  'notifications-changed',
] as const

export const LiveEvent = z.object({
  kind: z.enum(LIVE_EVENT_KINDS),
  /** The watchlist of the stream. A user's own stream has none. */
  watchlistId: z.string().optional(),
  cardId: z.string().optional(),
  /** The username of the member who made the change; never with `box-changed`, `notifications-changed` or a vote. */
  by: z.string().optional(),
  /** With `nights-changed`: this draw of the open night asks devices for what `seeds` says. */
  drawNumber: z.int().positive().optional(),
  /** The draw was prepared and takes hashes of seeds, or its hashes are closed and it takes the seeds. */
  seeds: z.enum(['hash', 'open']).optional(),
})
export type LiveEvent = z.infer<typeof LiveEvent>

/** An event of a watchlist. */
export type PublishedEvent = LiveEvent & { readonly watchlistId: string }

/** Milliseconds between the comments that keep an idle stream open. */
export const HEARTBEAT_MS = 20_000

/**
 * The header of a stream that says for how many milliseconds it would have sent nothing, as far as the server knows. What was
 * read within that time is up to date. A stream that leaves events out for its reader does not have it.
 */
export const QUIET_HEADER = 'marquee-quiet-ms'
