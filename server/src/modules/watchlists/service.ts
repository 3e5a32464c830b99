import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { MAX_WATCHLISTS_PER_USER } from '@marquee/contract/limits'
import type { LiveEvent } from '@marquee/contract/live-events'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'

import { chooseWatchlist, findChosenWatchlist, lockPerson, type User } from '../profiles/service.ts'
import { mayRead, mayTakePart } from './policy.ts'
import { presentWatchlist } from './present.ts'
import {
  type AccessRow,
  bumpVersion,
  countWatchlistsOf,
  findAccess,
  findWatchlists,
  insertMember,
  insertWatchlist,
  isMember,
  listWatchlistIdsOf,
  saveNameAndDescription,
} from './store.ts'

export type WatchlistPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly images: { urlOf: (hash: string) => string }
  /** Tells those who look at the watchlist, once the change is committed. */
  readonly live: { publish: (event: LiveEvent) => void }
}

/** A watchlist someone was let into. `version` changes whenever one of its pages does. */
export type Access = AccessRow & { readonly watchlistId: string }

/** @throws {Problem} NOT_FOUND, also where the watchlist is private. */
export async function getReadable(db: AnyDb, watchlistId: string, user: User): Promise<Access> {
  const access = await findAccess(db, watchlistId, user.userId)
  if (!access || !mayRead(access)) throw new Problem('NOT_FOUND')
  return { ...access, watchlistId }
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN to those who may only read. */
export async function getForMember(db: AnyDb, watchlistId: string, user: User): Promise<Access> {
  const access = await getReadable(db, watchlistId, user)
  if (!mayTakePart(access)) throw new Problem('FORBIDDEN')
  return access
}

/**
 * Begins every change of a watchlist: it comes first in its transaction, so that the writers of one watchlist happen
 * one after the other. Counts the version up and the box by `boxDelta`, and gives the box's new count; undefined, with
 * nothing changed, if the watchlist is gone or its box is empty and was to shrink.
 * @throws {Problem} FORBIDDEN to someone who is no member any more.
 */
export async function beginChange(
  trx: AnyDb,
  change: { watchlistId: string; user: User; boxDelta: -1 | 0 | 1 },
): Promise<number | undefined> {
  const boxCount = await bumpVersion(trx, change.watchlistId, change.boxDelta)
  if (boxCount === undefined) return undefined
  // A statement of its own: it sees what was committed while the one above waited.
  if (!(await isMember(trx, change.watchlistId, change.user.userId))) throw new Problem('FORBIDDEN')
  return boxCount
}

/** The watchlists someone is a member of, oldest membership first. */
export async function listWatchlists({ database, images }: WatchlistPorts, user: User): Promise<Watchlist[]> {
  const ids = await listWatchlistIdsOf(database.read, user.userId)
  const rows = new Map((await findWatchlists(database.read, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row ? [presentWatchlist(row, images.urlOf)] : []
  })
}

/** The watchlist with its members, to one who was let into it. */
export async function getWatchlist(ports: WatchlistPorts, { watchlistId }: Access): Promise<Watchlist> {
  return await findOne(ports, ports.database.read, watchlistId)
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
    await lockPerson(trx, user)
    const count = await countWatchlistsOf(trx, user.userId)
    if (count >= MAX_WATCHLISTS_PER_USER) {
      throw new Problem('BAD_REQUEST', `You cannot have more than ${MAX_WATCHLISTS_PER_USER} watchlists`)
    }
    const at = clock.now().toISOString()
    await insertWatchlist(trx, { id, name, description, owner_id: user.userId, owner_username: user.username }, at)
    await insertMember(trx, { watchlist_id: id, user_id: user.userId, username: user.username, joined_at: at })
    if (count === 0) await chooseWatchlist(trx, user, id)
    return await findOne(ports, trx, id)
  })
}

/** @throws {Problem} NOT_FOUND or FORBIDDEN if the watchlist or the membership ended meanwhile. */
export async function updateWatchlist(
  ports: WatchlistPorts,
  user: User,
  { watchlistId }: Access,
  change: { name: string; description: string | null },
): Promise<Watchlist> {
  const changed = await ports.database.transaction(async (trx) => {
    if ((await beginChange(trx, { watchlistId, user, boxDelta: 0 })) === undefined) throw new Problem('NOT_FOUND')
    await saveNameAndDescription(trx, watchlistId, { ...change, updatedAt: ports.clock.now().toISOString() })
    return await findOne(ports, trx, watchlistId)
  })
  ports.live.publish({ kind: 'watchlist-changed', watchlistId, by: user.username })
  return changed
}

/** The watchlist someone looks at by default; undefined if none was chosen or they are no member of it any more. */
export async function findCurrentWatchlist({ database }: WatchlistPorts, user: User): Promise<string | undefined> {
  const chosen = await findChosenWatchlist(database.read, user)
  if (chosen === undefined) return undefined
  return (await isMember(database.read, chosen, user.userId)) ? chosen : undefined
}

export async function setCurrentWatchlist({ database }: WatchlistPorts, user: User, access: Access): Promise<void> {
  await database.transaction(async (trx) => {
    await chooseWatchlist(trx, user, access.watchlistId)
  })
}

async function findOne({ images }: WatchlistPorts, db: AnyDb, watchlistId: string): Promise<Watchlist> {
  const [row] = await findWatchlists(db, [watchlistId])
  if (!row) throw new Problem('NOT_FOUND')
  return presentWatchlist(row, images.urlOf)
}
