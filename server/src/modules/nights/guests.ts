import type { Reply } from '@marquee/contract/endpoints'
import type { NIGHT_GUEST_ENDPOINTS } from '@marquee/contract/endpoints/night-guests'
import type { Night, NightAsGuest } from '@marquee/contract/entities/night'
import { MAX_NIGHT_GUESTS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { usernameKey } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { findWatchlistNames, lockWatchlist, type WatchlistPorts } from '../watchlists/service.ts'
import { changeBehindLock, requireNight } from './change.ts'
import { randomCode, readCode } from './codes.ts'
import { deleteCode, endPass, expirePasses, findByCode, findPass, saveCode } from './pass-store.ts'
import { authorizeNightRead, createPass, passExpiry } from './passes.ts'
import { nightKeyOf, presentNight, stateOf, timesOf } from './present.ts'
import { findNight, type NightKey, type NightRow } from './store.ts'
import { closeIfComplete } from './votes.ts'

type NewPass = Reply<typeof NIGHT_GUEST_ENDPOINTS.joinNight>

const NO_NIGHT = 'This code does not let you in'

/** Gives the open night a code with which guests can join. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function makeNightCode(ports: WatchlistPorts, user: User, nightId: string): Promise<Night> {
  return await changeBehindLock(ports, user, 'night.invite', nightId, async (trx, key, { row, now, requireState }) => {
    requireState('open')
    const where = { watchlist_id: key.watchlistId, night_id: key.id, expires_at: row.current_until }
    let hasCode = row.join_code !== null
    // Codes rarely collide: there are as many of them as a guesser would have to try.
    while (!hasCode) hasCode = await saveCode(trx, { ...where, code: randomCode(ports.random) }, now)
    return presentNight(await requireNight(trx, key), now)
  })
}

/**
 * Lets a guest in who knows the code.
 * @throws {Problem} NOT_FOUND if the code lets no one in, for any reason; BAD_REQUEST if the name is taken.
 */
export async function joinNight(
  ports: WatchlistPorts,
  { code, nickname }: { code: string; nickname: string },
): Promise<NewPass> {
  const now = ports.clock.now().toISOString()
  const joined = await ports.database.transaction(async (trx) => {
    const key = await findByCode(trx, readCode(code), now)
    if (!key || !(await lockWatchlist(trx, key.watchlistId))) throw new Problem('NOT_FOUND', NO_NIGHT)
    const row = await findNight(trx, key)
    if (!row || stateOf(row, now) !== 'open' || isFull(row)) throw new Problem('NOT_FOUND', NO_NIGHT)
    return await letIn(trx, ports, { row, now, nickname, createdBy: null })
  })
  ports.live.publish({ kind: 'nights-changed', watchlistId: nightKeyOf(joined.night.id).watchlistId })
  return joined
}

/** Lets a guest in who has no phone. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the name is taken, or too many are there. */
export async function addGuest(ports: WatchlistPorts, user: User, nightId: string, nickname: string): Promise<NewPass> {
  return await changeBehindLock(ports, user, 'night.invite', nightId, async (trx, _key, { row, now, requireState }) => {
    requireState('open')
    if (isFull(row)) throw new Problem('BAD_REQUEST', `A movie night cannot have more than ${MAX_NIGHT_GUESTS} guests`)
    return await letIn(trx, ports, { row, now, nickname, createdBy: user.username })
  })
}

/** Makes the pass of a guest void. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function removeGuest(ports: WatchlistPorts, user: User, nightId: string, guestId: string): Promise<void> {
  await changeBehindLock(ports, user, 'night.removeGuest', nightId, async (trx, key, found) => {
    if (user.pass && user.userId !== guestId) throw new Problem('FORBIDDEN')
    if ((await findPass(trx, key, { id: guestId }))?.kind !== 'guest') throw new Problem('NOT_FOUND')
    await endPass(trx, key, guestId, found.now)
    if (stateOf(found.row, found.now) === 'open') await closeIfComplete(trx, key, found)
  })
}

/** What a guest sees of a night. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it has not started. */
export async function getNightAsGuest(
  { database: { read }, clock }: Pick<WatchlistPorts, 'database' | 'clock'>,
  user: User,
  nightId: string,
): Promise<NightAsGuest> {
  const key = nightKeyOf(nightId)
  await authorizeNightRead(read, user, 'night.follow', key)
  return await readAsGuest(read, await requireNight(read, key), clock.now().toISOString())
}

/** What the end of a night changes: its code lets no one in, and its passes are valid for another day. */
export async function endPasses(trx: AnyDb, key: NightKey, row: NightRow, now: string): Promise<void> {
  if (row.join_code !== null) await deleteCode(trx, row.join_code)
  await expirePasses(trx, key, passExpiry(now))
}

async function letIn(
  trx: AnyDb,
  ports: WatchlistPorts,
  { row, now, nickname, createdBy }: { row: NightRow; now: string; nickname: string; createdBy: string | null },
): Promise<NewPass> {
  const { present, guests } = presentNight(row, now)
  const names = [...present.map(({ username }) => username), ...guests.map((guest) => guest.nickname)].map(usernameKey)
  if (names.includes(usernameKey(nickname))) {
    throw new Problem('BAD_REQUEST', 'nickname: Someone here has this name. Please choose another')
  }
  const { token, passId } = await createPass(trx, ports, row, { kind: 'guest', name: nickname, createdBy, now })
  const after = await requireNight(trx, { watchlistId: row.watchlist_id, id: row.id })
  return { token, guest: { guestId: passId, nickname, since: now }, night: await readAsGuest(trx, after, now) }
}

function isFull({ guests }: NightRow): boolean {
  return (JSON.parse(guests) as unknown[]).length >= MAX_NIGHT_GUESTS
}

async function readAsGuest(db: AnyDb, row: NightRow, now: string): Promise<NightAsGuest> {
  const { id, watchlistId, state, timeZone, place, startedAt, present, guests } = presentNight(row, now)
  const watchlistName = (await findWatchlistNames(db, [watchlistId])).get(watchlistId)
  if (watchlistName === undefined) throw new Problem('NOT_FOUND')
  if (startedAt === null || (state !== 'open' && state !== 'ended')) {
    throw new Problem('BAD_REQUEST', 'This night has not started')
  }
  const [fixed, ...others] = timesOf(row)
  const startsAt = fixed !== undefined && others.length === 0 ? fixed : startedAt
  return { id, watchlistName, state, startsAt, timeZone, place, present, guests }
}
