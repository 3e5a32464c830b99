import { createHmac, type KeyObject } from 'node:crypto'

import type { Reply } from '@marquee/contract/endpoints'
import type { NIGHT_GUEST_ENDPOINTS } from '@marquee/contract/endpoints/night-guests'
import type { Night, NightAsGuest } from '@marquee/contract/entities/night'
import { MAX_GUESTS_PER_ADDRESS, MAX_NIGHT_GUESTS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { usernameKey } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import type { Principal, User } from '../../../club/people/service.ts'
import { changeWithoutVerb, findWatchlistNames, type WatchlistPorts } from '../../../club/watchlists/service.ts'
import { changeAndPresent, changeBehindLock, requireNight } from '../night/change.ts'
import { randomCode, readCode } from './codes.ts'
import {
  barPass,
  deleteCode,
  endPass,
  expirePasses,
  findByCode,
  findPass,
  listJoined,
  type PassRow,
  saveCode,
} from '../night/pass-store.ts'
import { authorizeNightRead, createPass, passExpiry } from '../night/passes.ts'
import { nightKeyOf, presentNight, stateOf } from '../night/present.ts'
import { findNight, type NightKey, type NightRow, saveNight } from '../night/store.ts'
import { keepOnRoll } from '../vote/votes.ts'

type NewPass = Reply<typeof NIGHT_GUEST_ENDPOINTS.joinNight>

/** What joining with a code needs. */
export type GuestPorts = WatchlistPorts & { readonly addressKey: KeyObject }
type Origin = Pick<PassRow, 'device_hash' | 'address_hash'>
type NewGuest = { row: NightRow; now: string; nickname: string; createdBy: string | null; from?: Origin }

const TOO_MANY_HERE = `More than ${MAX_GUESTS_PER_ADDRESS} guests share your internet connection. Ask a member to allow it`
const NO_NIGHT = 'This code is not valid'

/** Gives the open night a code with which guests can join. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function makeNightCode(ports: WatchlistPorts, user: User, nightId: string): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.invite', nightId, async (trx, _key, found) => {
    found.requireState('open')
    if (found.row.join_code !== null) return
    await renewCode(trx, ports, found.row, found.now)
    found.happened('night.code-made')
  })
}

/** Replaces the code of the open night. Guests stay. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function renewNightCode(ports: WatchlistPorts, user: User, nightId: string): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.invite', nightId, async (trx, _key, found) => {
    found.requireState('open')
    await renewCode(trx, ports, found.row, found.now)
    found.happened('night.code-made')
  })
}

/** Gives a night another code. */
export async function renewCode(
  trx: AnyDb,
  { random }: Pick<WatchlistPorts, 'random'>,
  row: NightRow,
  now: string,
): Promise<void> {
  const where = { watchlist_id: row.watchlist_id, night_id: row.id, expires_at: row.current_until }
  if (row.join_code !== null) await deleteCode(trx, row.join_code)
  // Codes rarely collide: there are as many of them as a guesser would have to try.
  while (!(await saveCode(trx, { ...where, code: randomCode(random) }, now)));
}

/** Sets whether many guests may join from one address. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function setGuestLimit(
  ports: WatchlistPorts,
  user: User,
  nightId: string,
  { allowsManyGuests }: { allowsManyGuests: boolean },
): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.invite', nightId, async (trx, key, found) => {
    found.requireState('open')
    await saveNight(trx, key, { many_guests: allowsManyGuests ? 1 : 0 }, false)
    found.happened('guest.limit-set')
  })
}

/**
 * Lets a guest in who knows the code.
 * @throws {Problem} NOT_FOUND if the code does not let the caller in, for any reason; BAD_REQUEST if the name is taken, or too many
 * guests have the address.
 */
export async function joinNight(
  ports: GuestPorts,
  { code, nickname, device }: { code: string; nickname: string; device?: string | undefined },
  address: string,
): Promise<NewPass> {
  const { read } = ports.database
  const { watchlistId } = (await findByCode(read, readCode(code), ports.clock.now().toISOString())) ?? {}
  if (watchlistId === undefined) throw new Problem('NOT_FOUND', NO_NIGHT)
  const place = { watchlistId, notFound: NO_NIGHT }
  return await changeWithoutVerb(ports, null, place, async ({ trx, at: now, happened }) => {
    // The night may have ended meanwhile, and another one have got its code.
    const key = await findByCode(trx, readCode(code), now)
    const row = key?.watchlistId === watchlistId ? await findNight(trx, key) : undefined
    if (!key || !row || stateOf(row, now) !== 'open' || isFull(row)) throw new Problem('NOT_FOUND', NO_NIGHT)
    const from = originOf(ports, key, address, device)
    await admit(trx, key, { row, from })
    happened('guest.joined')
    return await letIn(trx, ports, { row, now, nickname, createdBy: null, from })
  })
}

/** Lets a guest in who has no phone. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the name is taken, or too many are there. */
export async function addGuest(ports: WatchlistPorts, user: User, nightId: string, nickname: string): Promise<NewPass> {
  return await changeBehindLock(ports, user, 'night.invite', nightId, async (trx, _key, found) => {
    const { row, now } = found
    found.requireState('open')
    if (isFull(row)) throw new Problem('BAD_REQUEST', `A movie night cannot have more than ${MAX_NIGHT_GUESTS} guests`)
    found.happened('guest.joined')
    return await letIn(trx, ports, { row, now, nickname, createdBy: user.username })
  })
}

/** Makes the pass of a guest void. A member who does so bars the device of the guest. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function removeGuest(
  ports: WatchlistPorts,
  user: Principal,
  nightId: string,
  guestId: string,
): Promise<void> {
  await changeBehindLock(ports, user, 'night.removeGuest', nightId, async (trx, key, found) => {
    if (user.pass && user.userId !== guestId) throw new Problem('FORBIDDEN')
    if ((await findPass(trx, key, { id: guestId }))?.kind !== 'guest') throw new Problem('NOT_FOUND')
    await keepOnRoll(trx, key, guestId, user.pass ? 'left' : 'removed')
    await endPass(trx, key, guestId, found.now)
    if (!user.pass) await barPass(trx, key, guestId, found.now)
    found.happened('guest.left')
  })
}

/** What a guest sees of a night. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it has not started. */
export async function getNightAsGuest(
  { database: { read }, clock }: Pick<WatchlistPorts, 'database' | 'clock'>,
  user: Principal,
  nightId: string,
): Promise<NightAsGuest> {
  const key = nightKeyOf(nightId)
  await authorizeNightRead(read, user, 'night.follow', key)
  return await readAsGuest(read, await requireNight(read, key), clock.now().toISOString())
}

/** What the end of a night changes: its code lets no one in, and its passes are valid for another day. */
export async function endPasses(
  trx: AnyDb,
  key: NightKey,
  row: Pick<NightRow, 'join_code'>,
  endedAt: string,
): Promise<void> {
  if (row.join_code !== null) await deleteCode(trx, row.join_code)
  await expirePasses(trx, key, passExpiry(endedAt))
}

async function letIn(
  trx: AnyDb,
  ports: WatchlistPorts,
  { row, now, nickname, createdBy, from }: NewGuest,
): Promise<NewPass> {
  const { present, guests } = presentNight(row, now)
  const names = [...present.map(({ username }) => username), ...guests.map((guest) => guest.nickname)].map(usernameKey)
  if (names.includes(usernameKey(nickname))) {
    throw new Problem('BAD_REQUEST', 'nickname: Someone here has this name. Please choose another')
  }
  const { token, passId } = await createPass(trx, ports, row, {
    kind: 'guest',
    name: nickname,
    createdBy,
    now,
    ...(from && { from }),
  })
  const after = await requireNight(trx, { watchlistId: row.watchlist_id, id: row.id })
  return { token, guest: { guestId: passId, nickname, since: now }, night: await readAsGuest(trx, after, now) }
}

/** From where a guest joins. Addresses are few enough to try, so their hash has a key. */
function originOf({ addressKey }: GuestPorts, { id }: NightKey, address: string, device?: string): Origin {
  return {
    device_hash: device === undefined ? null : hashOfSecret(device),
    address_hash: createHmac('sha256', addressKey).update(`${id} ${address}`).digest('base64url'),
  }
}

/**
 * A device without a name is known by its address only. A device that takes another name looks like that of a
 * neighbour behind the same router.
 * @throws {Problem} NOT_FOUND for a device whose guest a member removed; BAD_REQUEST if too many guests have the address.
 */
async function admit(trx: AnyDb, key: NightKey, { row, from }: { row: NightRow; from: Origin }): Promise<void> {
  const joined = await listJoined(trx, key)
  const isSameDevice = (other: Origin) =>
    from.device_hash !== null && other.device_hash !== null
      ? other.device_hash === from.device_hash
      : other.address_hash === from.address_hash
  if (joined.some((other) => other.barred_at !== null && isSameDevice(other))) throw new Problem('NOT_FOUND', NO_NIGHT)
  const neighbours = joined.filter(
    ({ ended_at, address_hash }) => ended_at === null && address_hash === from.address_hash,
  )
  if (row.many_guests === 0 && neighbours.length >= MAX_GUESTS_PER_ADDRESS)
    throw new Problem('BAD_REQUEST', TOO_MANY_HERE)
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
  return { id, watchlistName, state, startsAt: startedAt, timeZone, place, present, guests }
}
