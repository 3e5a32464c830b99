import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { MAX_MEMBERS_PER_WATCHLIST, MAX_WATCHLISTS_PER_USER } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { chooseWatchlist, lockPerson, type User } from '../people/service.ts'
import { countWatchlistsOf, insertMember, insertWatchlist } from './store.ts'

type Membership = { watchlistId: string; user: User }

type NewWatchlist = Pick<Watchlist, 'id' | 'name' | 'description' | 'isPrivate' | 'createdAt' | 'updatedAt'> & {
  readonly joinedAt: string
}

/**
 * Adds a watchlist with its owner, who joined at `joinedAt`, as first member.
 * @throws {Problem} BAD_REQUEST if the user has too many.
 */
export async function openWatchlist(
  trx: AnyDb,
  user: User,
  { id, name, description, isPrivate, createdAt, updatedAt, joinedAt }: NewWatchlist,
): Promise<void> {
  await insertWatchlist(trx, {
    id,
    name,
    description,
    owner_id: user.userId,
    owner_username: user.username,
    created_at: createdAt,
    updated_at: updatedAt,
    is_private: isPrivate ? 1 : 0,
  })
  await addMember(trx, { watchlistId: id, user, at: joinedAt })
}

/** Adds a watchlist without members that no caller finds, and that is removed at that time unless it is shown before. */
export async function openHidden(
  trx: AnyDb,
  { id, name, description, createdAt }: Pick<Watchlist, 'id' | 'name' | 'description' | 'createdAt'>,
  removalDueAt: number,
): Promise<void> {
  await insertWatchlist(trx, {
    id,
    name,
    description,
    owner_id: '',
    owner_username: '',
    created_at: createdAt,
    updated_at: createdAt,
    is_private: 1,
    removal_due_at: removalDueAt,
  })
}

/**
 * Makes a user a member, in a transaction that holds the watchlist. The first watchlist of a user becomes current.
 * @throws {Problem} BAD_REQUEST if the user has too many watchlists, or the watchlist too many members.
 */
export async function addMember(trx: AnyDb, { watchlistId, user, at }: Membership & { at: string }): Promise<void> {
  const count = await requirePlace(trx, user)
  const member = { watchlist_id: watchlistId, user_id: user.userId, username: user.username, joined_at: at }
  if (!(await insertMember(trx, member))) {
    throw new Problem('BAD_REQUEST', `A watchlist cannot have more than ${MAX_MEMBERS_PER_WATCHLIST} members`)
  }
  if (count === 0) await chooseWatchlist(trx, user, watchlistId)
}

/** Returns how many watchlists a user has. @throws {Problem} BAD_REQUEST if there are too many. */
export async function requirePlace(trx: AnyDb, user: User): Promise<number> {
  await lockPerson(trx, user)
  const count = await countWatchlistsOf(trx, user.userId)
  if (count >= MAX_WATCHLISTS_PER_USER) {
    throw new Problem('BAD_REQUEST', `You cannot have more than ${MAX_WATCHLISTS_PER_USER} watchlists`)
  }
  return count
}
