import type { MediaServerFaultKind, MediaServerKind } from '@marquee/contract/entities/media-server'
import type { MovieRequestState } from '@marquee/contract/entities/movie-request'
import type { NameLookup } from '@marquee/platform/network/name-lookup'

/** How a server is reached. `token` is its API key; it is never part of a URL, a message or a log. */
export type Target = { readonly url: string; readonly token: string }
export type Connection = Target & {
  readonly kind: MediaServerKind
  /** The name of the device that the token of a user was made for. A key of the server has none. */
  readonly device?: string
}

/** What a server says of itself. `machineId` is its own id, for links. */
export type ServerInfo = { readonly machineId: string; readonly name: string; readonly version: string }

export type ServerMovie = {
  readonly itemId: string
  readonly title: string
  readonly year: number | null
  readonly tmdbId: string | null
  readonly imdbId: string | null
  readonly wikidataId: string | null
}

/** A session of a player that the server can control. */
export type Player = {
  readonly sessionId: string
  readonly device: string
  readonly app: string
  readonly user: string | null
}

/** A media server cannot be used. The message is for logs: it has no key and no body. */
export class MediaServerFault extends Error {
  override readonly name = 'MediaServerFault'
  readonly kind: MediaServerFaultKind

  constructor(kind: MediaServerFaultKind, detail: string) {
    super(`Media server (${kind}): ${detail}`)
    this.kind = kind
  }
}

/** The server does not know the player any more. */
export class PlayerGone extends MediaServerFault {
  constructor() {
    super('unreachable', 'the player is gone')
  }
}

/** The server has the player and the movie, and does not bring them together. */
export class PlayRefused extends MediaServerFault {
  constructor(status: number) {
    super('unreachable', `playing was answered with ${status}`)
  }
}

/** The server does not let a user in: a wrong name or password, or a code that has ended. */
export class SignInRefused extends MediaServerFault {
  readonly how: 'password' | 'code'

  constructor(how: 'password' | 'code') {
    super('key', `signing in by ${how} was refused`)
    this.how = how
  }
}

/** The server does not offer to sign in by a code. */
export class QuickConnectOff extends MediaServerFault {
  constructor() {
    super('key', 'quick connect is off')
  }
}

/**
 * The server accepts the key, and does not do this for it now: outside the hours of a user, or from outside its network.
 * Another time it may.
 */
export class NotAllowed extends MediaServerFault {
  constructor(detail: string) {
    super('key', detail)
  }
}

/** The server does not have the user or the item any more. */
export class NothingToMark extends MediaServerFault {
  constructor() {
    super('unreachable', 'there is no such user or item')
  }
}

/** What a request server says of a movie; `none` if no one has asked for it there. */
export type AskedState = MovieRequestState | 'none'

/** A server that gets movies if it is asked. Each function throws `MediaServerFault` if the server cannot be used. */
export type RequestServerPort = {
  readonly identify: (signal: AbortSignal) => Promise<{ readonly version: string }>
  readonly look: (tmdbId: string, signal: AbortSignal) => Promise<AskedState>
  /** Asks for a movie, unless someone has asked for it there already. Resolves to what became of it. */
  readonly ask: (tmdbId: string, signal: AbortSignal) => Promise<AskedState>
}

/** The rules for where a connection may go. Without `lookup`, the name servers of the machine are asked. */
export type MediaFetchOptions = {
  readonly allowAddress: (ip: string) => boolean
  readonly allowPort: (port: number) => boolean
  readonly lookup?: NameLookup
  readonly userAgent?: string
}

/** What is read of a server at most, of all its libraries together; what is beyond is left out. */
export const MAX_SERVER_MOVIES = 100_000
export const MAX_LIST_BYTES = 64 * 1024 * 1024
export const MOVIES_PER_PAGE = 500

/** A user who has signed in. The token is theirs, for the device of the connection. */
export type SignedIn = { readonly userId: string; readonly name: string; readonly token: string }

export type Account = { readonly accountId: string; readonly name: string }

/** An item as seen, or not, for a user of the server. `version` is that of the server, as `meet` says. */
type Mark = {
  readonly userId: string
  readonly itemId: string
  readonly isSeen: boolean
  readonly version: string
}

/** A media server behind its adapter. Each function throws `MediaServerFault` if the server cannot be used. */
export type MediaServerPort = {
  readonly identify: (signal: AbortSignal) => Promise<ServerInfo>
  /** Its own id and version, asked without a key: asked before a token or a password is sent. */
  readonly meet: (signal: AbortSignal) => Promise<Pick<ServerInfo, 'machineId' | 'version'>>
  /** Pages of movies, at most MAX_SERVER_MOVIES in all, each id once. */
  readonly listMovies: (signal: AbortSignal) => AsyncIterable<readonly ServerMovie[]>
  readonly listPlayers: (signal: AbortSignal) => Promise<Player[]>
  readonly play: (player: string, itemId: string, signal: AbortSignal) => Promise<void>
  /** Signs a user in by a code that they enter at the server; undefined until they have. Jellyfin only. */
  readonly quickConnect?: {
    readonly begin: (
      version: string,
      signal: AbortSignal,
    ) => Promise<{ readonly code: string; readonly secret: string }>
    readonly finish: (secret: string, signal: AbortSignal) => Promise<SignedIn | undefined>
  }
  /** Signs a user in by name and password. Emby only. */
  readonly signIn?: (name: string, password: string, signal: AbortSignal) => Promise<SignedIn>
  /** The accounts that may play. Plex only. */
  readonly listAccounts?: (signal: AbortSignal) => Promise<Account[]>
  /** With the token of the user; at Plex only for the account of its owner. */
  readonly mark: (mark: Mark, signal: AbortSignal) => Promise<void>
  /** The page of the item in the server's own web app, at the address that members use. */
  readonly linkTo: (openUrl: string, machineId: string, itemId: string) => string
}
