import type { AnyDb } from '@marquee/platform/database/database'

/** The poster of a card at an address. `userId` is the user who gave the address. */
export type PosterRequest = {
  readonly watchlistId: string
  readonly cardId: string
  readonly userId: string
  readonly url: string
}

export type Posters = {
  /** Requests a copy, in the transaction that saves the address. Replaces an earlier request for the card. */
  request: (trx: AnyDb, poster: PosterRequest) => Promise<void>
  /** Starts to copy. Call it after the commit. */
  wake: () => void
}

/** Posters that are shown from their address are not copied. */
export const uncopiedPosters: Posters = { request: async () => undefined, wake: () => undefined }
