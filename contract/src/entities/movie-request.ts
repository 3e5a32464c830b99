import { z } from 'zod'

import { MEDIA_SERVER_FAULTS } from './media-server.ts'

/**
 * What became of a movie that was asked for.
 *
 * - `asked` it waits: to be sent, or for someone who approves it there
 * - `coming` it is being fetched
 * - `partly` some of it has arrived
 * - `here` it has arrived
 * - `declined` it was refused
 * - `failed` it could not be fetched
 */
export const MOVIE_REQUEST_STATES = ['asked', 'coming', 'partly', 'here', 'declined', 'failed'] as const
export type MovieRequestState = (typeof MOVIE_REQUEST_STATES)[number]

export const MovieRequest = z.object({ cardId: z.string(), state: z.enum(MOVIE_REQUEST_STATES) })
export type MovieRequest = z.infer<typeof MovieRequest>

/** Who may ask: all members, or only the owner. */
export const ASKERS = ['members', 'owner'] as const
export type Askers = (typeof ASKERS)[number]

/** The request server of a watchlist: Seerr, Jellyseerr or Overseerr. No reply has its key. */
export const RequestServer = z.object({
  askers: z.enum(ASKERS),
  /** Why the last call failed; null if it did not. */
  fault: z.enum(MEDIA_SERVER_FAULTS).nullable(),
  /** When it last answered. */
  seenAt: z.iso.datetime(),
  /** Movies that were asked for and have not arrived. */
  open: z.number().int().min(0),
  /** Where this installation reaches it. Only the owner sees it. */
  host: z.string().nullable(),
})
export type RequestServer = z.infer<typeof RequestServer>

/** Null if none is connected. */
export const RequestServerOfWatchlist = z.object({ server: RequestServer.nullable() })
