import type { Asked, Operation } from './description.ts'
import type { Library, LibraryFilm } from './library.ts'

export type StandInPlayer = {
  readonly id: string
  readonly device: string
  readonly app: string
  readonly user?: string
  readonly isControllable?: boolean
  readonly isVideo?: boolean
}

/** A user of the service. `password` is for Emby. */
type StandInUser = { readonly id: string; readonly name: string; readonly password?: string }

/** What was said of an item for a user, in the order in which it came. */
type Marked = { readonly userId: string; readonly itemId: string; readonly isSeen: boolean }

type Played = { readonly player: string; readonly itemId: string }

/** What a service answers from, which a test changes. */
export type ServiceState = {
  machineId: string
  name: string
  version: string
  key: string
  library: Library
  /** How many libraries have these films. Plex only. */
  libraries: number
  /** The most films that are in one page, however many are asked for. */
  pageSize: number
  players: readonly StandInPlayer[]
  readonly played: Played[]
  readonly users: readonly StandInUser[]
  readonly marked: Marked[]
  /** The statuses with which marks of single items are refused. Jellyfin and Emby only. */
  readonly refusedMarks: Map<string, number>
  /** The tokens of users, with whom they are of. A test removes one to end it. */
  readonly tokens: Map<string, string>
  /** Codes of Quick Connect by their secret, with the user who has entered the code. */
  readonly codes: Map<string, { readonly code: string; userId?: string }>
  hasQuickConnect: boolean
}

/** What a stand-in plays. */
export type Service = {
  readonly isKey: (asked: Asked) => boolean
  /** The user of the token of a request. */
  readonly userOf?: (asked: Asked) => string | undefined
  /** The status of the answer to a wrong key, if it is not 401. */
  readonly refusal?: number
  readonly operations: readonly Operation[]
}

export type MediaService = Service & {
  readonly itemIdOf: (film: LibraryFilm, place: number) => string
}
