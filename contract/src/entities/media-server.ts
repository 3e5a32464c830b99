import { z } from 'zod'

export const MEDIA_SERVER_KINDS = ['jellyfin', 'emby', 'plex'] as const
export type MediaServerKind = (typeof MEDIA_SERVER_KINDS)[number]

/** Names of products, the same in every language. */
export const MEDIA_SERVER_PRODUCTS: Readonly<Record<MediaServerKind, string>> = {
  jellyfin: 'Jellyfin',
  emby: 'Emby',
  plex: 'Plex',
}

/**
 * What is wrong with a media server.
 *
 * - `address` a URL, address or port that the settings do not allow
 * - `unreachable` no connection, or no such name
 * - `slow` no complete answer in time
 * - `certificate` a certificate that cannot be verified
 * - `key` the key is not accepted
 * - `redirect` an answer that points elsewhere
 * - `other-server` an answer that is not of this kind of server, or of another machine than was connected, such as one that was
 *   installed again
 * - `version` older than what is supported
 * - `unreadable` an answer that is too large, compressed, or not JSON
 */
export const MEDIA_SERVER_FAULTS = [
  'address',
  'unreachable',
  'slow',
  'certificate',
  'key',
  'redirect',
  'other-server',
  'version',
  'unreadable',
] as const
export type MediaServerFaultKind = (typeof MEDIA_SERVER_FAULTS)[number]

/** A media server of a watchlist. No reply has its key. */
export const MediaServer = z.object({
  serverId: z.string(),
  kind: z.enum(MEDIA_SERVER_KINDS),
  /** As it calls itself. */
  name: z.string(),
  /** `waiting`: for its first reading. `failing`: the last reading failed, and the list before it counts. */
  state: z.enum(['waiting', 'reading', 'ready', 'failing']),
  fault: z.enum(MEDIA_SERVER_FAULTS).nullable(),
  /** When it last answered. */
  seenAt: z.iso.datetime().nullable(),
  /** When its list was last read. */
  readAt: z.iso.datetime().nullable(),
  /** How many movies the list has. */
  movies: z.number().int().min(0).nullable(),
  /** Where this installation reaches it. Only the owner sees it. */
  host: z.string().nullable(),
  /** The address at which members open it in their browser. */
  openUrl: z.string().nullable(),
})
export type MediaServer = z.infer<typeof MediaServer>

/** In the order in which they were connected. */
export const MediaServers = z.object({ servers: z.array(MediaServer) })

/** That a server has a movie. `link` opens it there; null without an address that members can open. */
export const ServerCopy = z.object({
  serverId: z.string(),
  kind: z.enum(MEDIA_SERVER_KINDS),
  name: z.string(),
  link: z.string().nullable(),
})
export type ServerCopy = z.infer<typeof ServerCopy>

/** A device on which a server can play a movie. */
export const MediaPlayer = z.object({
  serverId: z.string(),
  serverName: z.string(),
  sessionId: z.string(),
  device: z.string(),
  app: z.string(),
})
export type MediaPlayer = z.infer<typeof MediaPlayer>

export const MediaPlayers = z.object({ players: z.array(MediaPlayer) })
export type MediaPlayers = z.infer<typeof MediaPlayers>
