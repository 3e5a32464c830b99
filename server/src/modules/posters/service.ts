import type { AnyDb } from '@marquee/platform/database/database'

/** The poster of a card, which lies at an address; `userId` is who gave it. */
export type PosterRequest = {
  readonly watchlistId: string
  readonly cardId: string
  readonly userId: string
  readonly url: string
}

export type Posters = {
  /** Asks for a copy, in the transaction that gives the card the address. An earlier request for the card is replaced. */
  request: (trx: AnyDb, poster: PosterRequest) => Promise<void>
  /** Begins to copy; called after the commit. */
  wake: () => void
}

/** Where posters are shown from their own addresses, none is copied. */
export const uncopiedPosters: Posters = { request: async () => undefined, wake: () => undefined }
