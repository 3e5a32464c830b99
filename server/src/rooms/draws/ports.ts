import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../club/people/service.ts'
import type { WatchOptions } from '../movies/availability/service.ts'
import type { CardPorts } from '../movies/cards/service.ts'

/** What a draw needs of movie nights. */
export type DrawNights = {
  /** @throws {Problem} NOT_FOUND if the watchlist has no such night; BAD_REQUEST if it is not open. */
  readonly requireOpen: (trx: AnyDb, watchlistId: string, night: { nightId: string; now: Date }) => Promise<void>
  /** @throws {Problem} BAD_REQUEST if one of the members is not at the open night of the watchlist. */
  readonly requirePresent: (
    db: AnyDb,
    watchlistId: string,
    those: { usernames: readonly string[]; now: Date },
  ) => Promise<void>
  /** The members who are at the open night of the watchlist; none without one. */
  readonly listPresent: (db: AnyDb, watchlistId: string, now: Date) => Promise<readonly User[]>
}

export type DrawPorts = CardPorts & WatchOptions & { readonly nights: DrawNights }
