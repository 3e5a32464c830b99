import type { AnyDb } from '@marquee/platform/database/database'
import { Sent } from '@marquee/platform/database/sent'

/** The poster of a card at an address. `userId` is the user who gave the address. */
export type PosterRequest = {
  readonly watchlistId: string
  readonly cardId: string
  readonly userId: string
  readonly url: string
}

/** In place of an address: the catalogue is to find the poster. */
export const FROM_CATALOGUE = 'catalogue:'

export type Posters = {
  /** Requests a copy, among the last statements of the transaction that saves the address. Replaces an earlier request. */
  request: (trx: AnyDb, poster: PosterRequest) => Sent<unknown>
  /** Has the catalogue find posters for these cards, one a second. Without a catalogue the cards stay as they are. */
  requestPictures: (trx: AnyDb, card: Pick<PosterRequest, 'watchlistId' | 'userId'>, cardIds: string[]) => Promise<void>
  /** Starts to copy. Call it after the commit. */
  wake: () => void
}

/** Posters that are shown from their address are not copied. */
export const uncopiedPosters: Posters = {
  request: () => new Sent(Promise.resolve(), true),
  requestPictures: async () => await Promise.resolve(),
  wake: () => undefined,
}
