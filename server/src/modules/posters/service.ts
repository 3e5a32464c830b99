import type { AnyDb } from '@marquee/platform/database/database'
import { Sent } from '@marquee/platform/database/sent'

/** The poster of a card at an address. `userId` is the user who gave the address. */
export type PosterRequest = {
  readonly watchlistId: string
  readonly cardId: string
  readonly userId: string
  readonly url: string
}

export type Posters = {
  /** Requests a copy, among the last statements of the transaction that saves the address. Replaces an earlier request. */
  request: (trx: AnyDb, poster: PosterRequest) => Sent<unknown>
  /** Starts to copy. Call it after the commit. */
  wake: () => void
}

/** Posters that are shown from their address are not copied. */
export const uncopiedPosters: Posters = {
  request: () => new Sent(Promise.resolve(), true),
  wake: () => undefined,
}
