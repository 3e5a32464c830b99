import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { Problem } from '@marquee/contract/problems'
import { isCountry } from '@marquee/contract/rules/countries'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Random } from '@marquee/platform/runtime/random'

import { chooseWatchlist, findChosenWatchlist, type User } from '../people/service.ts'
import { type Access, authorizeRead } from './authorize.ts'
import { type Change, type ChangePorts, changeWatchlist } from './change.ts'
import { openWatchlist } from './open.ts'
import { presentWatchlist } from './present.ts'
import {
  findNames,
  findWatchlists,
  isMember,
  listWatchlistIdsOf,
  saveWatchlist,
  type WatchlistChange,
} from './store.ts'

export { type Access, authorizeRead, authorizeReplay, authorizeUpload } from './authorize.ts'
export { countMembers, keepMembers, listMembers } from './member-store.ts'
export {
  type Change,
  type ChangePorts,
  changeInBackground,
  changeWatchlist,
  changeWithoutVerb,
  type Happened,
  recordFacts,
} from './change.ts'
export { addMember } from './open.ts'
export { beginRestored, type RestoredDraft } from './restored.ts'
export {
  changeBoxCount,
  countIntoBox,
  findCountry,
  findOwnerId,
  listWatchlistIdsOf,
  lockWatchlist,
  touchAgain,
} from './store.ts'

export type WatchlistPorts = ChangePorts & {
  readonly random: Random
  readonly images: { urlOf: (hash: string) => string }
}

/** The watchlists of a user, oldest membership first. */
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

export async function getWatchlist(ports: WatchlistPorts, { watchlistId }: Access): Promise<Watchlist> {
  return await loadWatchlist(ports, ports.database.read, watchlistId)
}

/**
 * Creates a watchlist with its owner as first member. The first watchlist of a user becomes current.
 * @throws {Problem} BAD_REQUEST if the user has too many.
 */
export async function createWatchlist(
  ports: WatchlistPorts,
  user: User,
  { name, description }: { name: string; description: string | null },
): Promise<Watchlist> {
  const id = ports.random.uuid()
  return await createFilled(ports, user, { id, name, description, isPrivate: false })
}

/**
 * Creates a watchlist with its owner as first member. `fill` runs in the same transaction.
 * @throws {Problem} BAD_REQUEST if the user has too many.
 */
export async function createFilled(
  ports: Pick<WatchlistPorts, 'database' | 'clock' | 'images'>,
  user: User,
  watchlist: Pick<Watchlist, 'id' | 'name' | 'description' | 'isPrivate'>,
  fill?: (trx: AnyDb) => Promise<void>,
): Promise<Watchlist> {
  return await ports.database.transaction(async (trx) => {
    const at = ports.clock.now().toISOString()
    await openWatchlist(trx, user, { ...watchlist, createdAt: at, updatedAt: at, joinedAt: at })
    await fill?.(trx)
    return await loadWatchlist(ports, trx, watchlist.id)
  })
}

/**
 * Changes the watchlist itself. `resolve` returns the change, in the transaction; it may throw to refuse.
 * @throws {Problem} NOT_FOUND; FORBIDDEN.
 */
export async function editWatchlist(
  ports: WatchlistPorts,
  user: User,
  verb: 'watchlist.edit' | 'watchlist.setCountry' | 'watchlist.setPrivacy' | 'watchlist.handOver',
  watchlistId: string,
  resolve: (change: Change) => Promise<WatchlistChange>,
): Promise<Watchlist> {
  return await changeWatchlist(ports, user, verb, { watchlistId }, async (change) => {
    const { trx, at, happened } = change
    await saveWatchlist(trx, watchlistId, { ...(await resolve(change)), updated_at: at })
    happened('watchlist.changed')
    return await loadWatchlist(ports, trx, watchlistId)
  })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function updateWatchlist(
  ports: WatchlistPorts,
  user: User,
  watchlistId: string,
  { name, description }: { name: string; description: string | null },
): Promise<Watchlist> {
  return await editWatchlist(ports, user, 'watchlist.edit', watchlistId, async () => ({ name, description }))
}

/** Missing unless the operator has streaming services looked up. */
export type ServicePorts = { readonly watchProviders?: object | undefined }

/** Without the look-up, values that only it reads are not stored. @throws {Problem} NOT_FOUND. */
export function requireServices({ watchProviders }: ServicePorts): void {
  if (!watchProviders) throw new Problem('NOT_FOUND')
}

/**
 * Sets the country in which the members watch; none with null.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if there is no such country.
 */
export async function setCountry(
  ports: WatchlistPorts & ServicePorts,
  user: User,
  watchlistId: string,
  country: string | null,
): Promise<Watchlist> {
  requireServices(ports)
  if (country !== null) requireCountry(country)
  return await editWatchlist(ports, user, 'watchlist.setCountry', watchlistId, async () => ({ country }))
}

/** @throws {Problem} BAD_REQUEST */
export function requireCountry(code: string): void {
  if (!isCountry(code)) throw new Problem('BAD_REQUEST', 'This is not a country, for example DE')
}

export async function isMemberOf(db: AnyDb, watchlistId: string, { userId }: Pick<User, 'userId'>): Promise<boolean> {
  return await isMember(db, watchlistId, userId)
}

/** The names of the watchlists that exist, by id. */
export async function findWatchlistNames(db: AnyDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await findNames(db, ids)).map(({ id, name }) => [id, name]))
}

/** The current watchlist of a user; undefined if none was chosen, or the user is no longer a member of it. */
export async function findCurrentWatchlist(
  { database }: Pick<WatchlistPorts, 'database'>,
  user: User,
): Promise<string | undefined> {
  const chosen = await findChosenWatchlist(database.read, user.userId)
  if (chosen === undefined) return undefined
  return (await isMember(database.read, chosen, user.userId)) ? chosen : undefined
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function setCurrentWatchlist(
  { database }: Pick<WatchlistPorts, 'database'>,
  user: User,
  watchlistId: string,
): Promise<void> {
  await database.transaction(async (trx) => {
    await authorizeRead(trx, user, 'watchlist.choose', watchlistId)
    await chooseWatchlist(trx, user, watchlistId)
  })
}

/** A watchlist with its members, without a check of access. @throws {Problem} NOT_FOUND. */
export async function loadWatchlist(
  { images }: Pick<WatchlistPorts, 'images'>,
  db: AnyDb,
  watchlistId: string,
): Promise<Watchlist> {
  const [row] = await findWatchlists(db, [watchlistId])
  if (!row) throw new Problem('NOT_FOUND')
  return presentWatchlist(row, images.urlOf)
}
