import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { MAX_MEMBERS_PER_WATCHLIST, MAX_WATCHLISTS_PER_USER } from '@marquee/contract/limits'
import type { PublishedEvent } from '@marquee/contract/live-events'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'

import { chooseWatchlist, findChosenWatchlist, lockPerson, type User } from '../profiles/service.ts'
import { mayGovern, mayRead, mayTakePart } from './policy.ts'
import { presentWatchlist } from './present.ts'
import {
  type AccessRow,
  countWatchlistsOf,
  findAccess,
  findNames,
  findWatchlists,
  insertMember,
  insertWatchlist,
  isMember,
  listWatchlistIdsOf,
  type RowChange,
  saveWatchlist,
  touchWatchlist,
  type WatchlistChange,
} from './store.ts'

export { countMembers } from './member-store.ts'

export type WatchlistPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly images: { urlOf: (hash: string) => string }
  /** Tells those who look at the watchlist, once the change is committed. */
  readonly live: { publish: (event: PublishedEvent) => void }
}

/** No user's id: a guest is no member of anything. */
const NOBODY = ''

/** A watchlist someone was let into. `feedVersion` changes whenever a page of the feed does. */
export type Access = AccessRow & { readonly watchlistId: string }

/** What `user` may read, or a guest without one. @throws {Problem} NOT_FOUND, also where the watchlist is private. */
export async function getReadable(db: AnyDb, watchlistId: string, user: User | undefined): Promise<Access> {
  const access = await findAccess(db, watchlistId, user?.userId ?? NOBODY)
  if (!access || !mayRead(access)) throw new Problem('NOT_FOUND')
  return { ...access, watchlistId }
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to those who may only read. */
export async function getForMember(db: AnyDb, watchlistId: string, user: User): Promise<Access> {
  const access = await getReadable(db, watchlistId, user)
  if (!mayTakePart(access)) throw new Problem('FORBIDDEN')
  return access
}

/** `getForMember` for the calls under `/watchlists/{id}`. @throws {Problem} the same. */
export async function asMember(
  db: AnyDb,
  { params, user }: { params: { watchlistId: string }; user: User },
): Promise<Access> {
  return await getForMember(db, params.watchlistId, user)
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to those who are not its owner. */
export async function getForOwner(db: AnyDb, watchlistId: string, user: User): Promise<Access> {
  const access = await getReadable(db, watchlistId, user)
  if (!mayGovern(access)) throw new Problem('FORBIDDEN')
  return access
}

type Membership = { watchlistId: string; user: User }

/**
 * Begins every change of a watchlist by a member: it comes first in its transaction, so that the writers of one
 * watchlist happen one after the other. `boxCount` is the new count of the box; undefined, with nothing changed, if the
 * box is empty and was to shrink.
 * @throws {Problem} NOT_FOUND; FORBIDDEN to those who may only read, by now.
 */
export async function beginChange(
  trx: AnyDb,
  { watchlistId, user }: Membership,
  change: RowChange = {},
): Promise<{ isOwner: boolean; boxCount: number | undefined }> {
  const [boxCount, { isOwner }] = await Promise.all([
    touchWatchlist(trx, watchlistId, change),
    // A statement of its own: it sees what was committed while the one above waited.
    getForMember(trx, watchlistId, user),
  ])
  return { isOwner, boxCount }
}

/** For what turns out only in the middle of a change that has begun. Gives the new count of the box. */
export async function continueChange(trx: AnyDb, watchlistId: string, change: RowChange): Promise<number> {
  const boxCount = await touchWatchlist(trx, watchlistId, change)
  if (boxCount === undefined) throw new Error(`The box of ${watchlistId} held a card and was counted empty`)
  return boxCount
}

/** `beginChange` for what only the owner may do, who may have handed the watchlist over meanwhile. */
export async function beginOwnersChange(trx: AnyDb, membership: Membership): Promise<void> {
  const { isOwner } = await beginChange(trx, membership)
  if (!mayGovern({ isOwner })) throw new Problem('FORBIDDEN')
}

/** `beginChange` for callers who are not members, say because they are invited; false if there is no such watchlist. */
export async function beginOutsidersChange(trx: AnyDb, watchlistId: string): Promise<boolean> {
  return (await touchWatchlist(trx, watchlistId, {})) !== undefined
}

/** The watchlists someone is a member of, oldest membership first. */
export async function listWatchlists(
  { database, images }: Pick<WatchlistPorts, 'database' | 'images'>,
  user: User,
): Promise<Watchlist[]> {
  const ids = await listWatchlistIdsOf(database.read, user.userId)
  const rows = new Map((await findWatchlists(database.read, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [presentWatchlist(row, images.urlOf)] : []
  })
}

/** The watchlist with its members, to one who was let into it. */
export async function getWatchlist(ports: WatchlistPorts, { watchlistId }: Access): Promise<Watchlist> {
  return await loadWatchlist(ports, ports.database.read, watchlistId)
}

/**
 * Makes a watchlist with its owner as first member. The first one somebody has becomes current (spec section 4).
 * @throws {Problem} BAD_REQUEST to one who has too many.
 */
export async function createWatchlist(
  ports: WatchlistPorts,
  user: User,
  { name, description }: { name: string; description: string | null },
): Promise<Watchlist> {
  const { database, clock, random } = ports
  const id = random.uuid()
  return await database.transaction(async (trx) => {
    const at = clock.now().toISOString()
    await insertWatchlist(trx, { id, name, description, owner_id: user.userId, owner_username: user.username }, at)
    await addMember(trx, { watchlistId: id, user, at })
    return await loadWatchlist(ports, trx, id)
  })
}

/**
 * Makes someone a member who is none, in a change that has begun. The first watchlist somebody has becomes current.
 * @throws {Problem} BAD_REQUEST if they have too many watchlists, or the watchlist too many members.
 */
export async function addMember(trx: AnyDb, { watchlistId, user, at }: Membership & { at: string }): Promise<void> {
  await lockPerson(trx, user)
  const count = await countWatchlistsOf(trx, user.userId)
  if (count >= MAX_WATCHLISTS_PER_USER) {
    throw new Problem('BAD_REQUEST', `You cannot have more than ${MAX_WATCHLISTS_PER_USER} watchlists`)
  }
  const member = { watchlist_id: watchlistId, user_id: user.userId, username: user.username, joined_at: at }
  if (!(await insertMember(trx, member))) {
    throw new Problem('BAD_REQUEST', `A watchlist cannot have more than ${MAX_MEMBERS_PER_WATCHLIST} members`)
  }
  if (count === 0) await chooseWatchlist(trx, user, watchlistId)
}

/**
 * Changes the watchlist itself to what `decide` says, in a transaction that `decide` begins.
 * @throws {Problem} whatever `decide` throws.
 */
export async function changeWatchlist(
  ports: WatchlistPorts,
  user: User,
  { watchlistId }: Access,
  decide: (trx: AnyDb, membership: Membership) => Promise<WatchlistChange>,
): Promise<Watchlist> {
  const changed = await ports.database.transaction(async (trx) => {
    const change = await decide(trx, { watchlistId, user })
    await saveWatchlist(trx, watchlistId, { ...change, updated_at: ports.clock.now().toISOString() })
    return await loadWatchlist(ports, trx, watchlistId)
  })
  ports.live.publish({ kind: 'watchlist-changed', watchlistId, by: user.username })
  return changed
}

/** @throws {Problem} NOT_FOUND or FORBIDDEN if the watchlist or the membership ended meanwhile. */
export async function updateWatchlist(
  ports: WatchlistPorts,
  user: User,
  access: Access,
  change: { name: string; description: string | null },
): Promise<Watchlist> {
  return await changeWatchlist(ports, user, access, async (trx, membership) => {
    await beginChange(trx, membership)
    return change
  })
}

export async function isMemberOf(db: AnyDb, watchlistId: string, { userId }: Pick<User, 'userId'>): Promise<boolean> {
  return await isMember(db, watchlistId, userId)
}

/** The names of those of the watchlists that there are, by id. */
export async function findWatchlistNames(db: AnyDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await findNames(db, ids)).map(({ id, name }) => [id, name]))
}

/** The watchlist someone looks at by default; undefined if none was chosen or they are no member of it any more. */
export async function findCurrentWatchlist(
  { database }: Pick<WatchlistPorts, 'database'>,
  user: User,
): Promise<string | undefined> {
  const chosen = await findChosenWatchlist(database.read, user)
  if (chosen === undefined) return undefined
  return (await isMember(database.read, chosen, user.userId)) ? chosen : undefined
}

export async function setCurrentWatchlist({ database }: WatchlistPorts, user: User, access: Access): Promise<void> {
  await database.transaction(async (trx) => {
    await chooseWatchlist(trx, user, access.watchlistId)
  })
}

/** A watchlist with its members, whoever asks. @throws {Problem} NOT_FOUND. */
export async function loadWatchlist({ images }: WatchlistPorts, db: AnyDb, watchlistId: string): Promise<Watchlist> {
  const [row] = await findWatchlists(db, [watchlistId])
  if (!row) throw new Problem('NOT_FOUND')
  return presentWatchlist(row, images.urlOf)
}
