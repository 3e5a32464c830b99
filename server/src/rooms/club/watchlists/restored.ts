import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { takeTime } from '@marquee/platform/database/statement-runner'
import type { Clock } from '@marquee/platform/runtime/clock'
import { MINUTE_MS } from '@marquee/platform/runtime/durations'

import type { User } from '../people/service.ts'
import { addMember, openHidden, requirePlace } from './open.ts'
import { findRemoval, setRemoval } from './removal-store.ts'
import { saveWatchlist } from './store.ts'

/** A restore that was not continued for this long has been given up. */
const GIVEN_UP_AFTER_MS = 5 * MINUTE_MS

/** A watchlist that is being restored, hidden until all of it is there. */
export type RestoredDraft = {
  readonly watchlistId: string
  /** @throws {Problem} BAD_REQUEST if the user has too many watchlists. */
  readonly open: (user: User, watchlist: Pick<Watchlist, 'name' | 'description' | 'createdAt'>) => Promise<void>
  /** Called in each transaction that adds rows, so that the draft is not removed meanwhile. */
  readonly keep: (trx: AnyDb) => Promise<void>
  /** Called in the last transaction: makes the user its owner and first member. @throws {Problem} BAD_REQUEST */
  readonly show: (
    trx: AnyDb,
    user: User,
    shown: {
      isPrivate: boolean
      joinedAt: string
      updatedAt: string
      imageHash: string | null
      country: string | null
    },
  ) => Promise<void>
  /** Lets it be removed. */
  readonly giveUp: () => Promise<void>
}

export function beginRestored(
  { slices, clock }: { slices: Database<unknown>; clock: Clock },
  watchlistId: string,
): RestoredDraft {
  /** When the removal was due, as this restore has written it. With any other time the removal has begun. */
  const written = new Set<number>()

  async function change(trx: AnyDb, dueAt: number | null): Promise<void> {
    const removal = await findRemoval(trx, watchlistId)
    const isOurs = removal !== undefined && written.has(removal.dueAt)
    if (!isOurs || !(await setRemoval(trx, removal, dueAt))) throw new Problem('SERVICE_UNAVAILABLE')
  }
  const later = (): number => {
    const dueAt = clock.now().getTime() + GIVEN_UP_AFTER_MS
    written.add(dueAt)
    return dueAt
  }
  return {
    watchlistId,
    open: async (user, watchlist) => {
      await slices.transaction(async (trx) => {
        await requirePlace(trx, user)
        await openHidden(trx, { ...watchlist, id: watchlistId }, later())
      })
    },
    keep: async (trx) => {
      // On PostgreSQL it also replaces plans of foreign keys from when the tables were small.
      await takeTime(trx)
      await change(trx, later())
    },
    show: async (trx, user, { isPrivate, joinedAt, updatedAt, imageHash, country }) => {
      await change(trx, null)
      await saveWatchlist(trx, watchlistId, {
        owner_id: user.userId,
        owner_username: user.username,
        is_private: isPrivate ? 1 : 0,
        image_hash: imageHash,
        country,
        updated_at: updatedAt,
      })
      await addMember(trx, { watchlistId, user, at: joinedAt })
    },
    giveUp: async () => {
      await slices.transaction(async (trx) => {
        const removal = await findRemoval(trx, watchlistId)
        if (removal) await setRemoval(trx, removal, clock.now().getTime())
      })
    },
  }
}
