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

type Played = { readonly player: string; readonly itemId: string }

/** What a service answers from, which a test changes. */
export type ServiceState = {
  name: string
  version: string
  key: string
  library: Library
  /** The most films that are in one page, however many are asked for. */
  pageSize: number
  players: readonly StandInPlayer[]
  readonly played: Played[]
}

/** What a stand-in plays. */
export type Service = {
  readonly isKey: (asked: Asked) => boolean
  /** The status of the answer to a wrong key, if it is not 401. */
  readonly refusal?: number
  readonly operations: readonly Operation[]
}

export type MediaService = Service & {
  readonly machineId: string
  readonly itemIdOf: (film: LibraryFilm, place: number) => string
}
