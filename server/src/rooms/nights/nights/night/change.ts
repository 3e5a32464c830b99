import type { Night, NightState } from '@marquee/contract/entities/night'
import { NIGHT_LASTS_HOURS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { arrival, type Sent } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'
import { HOUR_MS } from '@marquee/platform/runtime/durations'

import type { Principal } from '../../../club/people/service.ts'
import {
  type Change,
  changeWatchlist,
  changeWithoutVerb,
  type WatchlistPorts,
} from '../../../club/watchlists/service.ts'
import { findPass } from './pass-store.ts'
import { type NightVerb, requirePass, requireValidPass } from './passes.ts'
import { nightKeyOf, presentNight, stateOf, timesOf } from './present.ts'
import { findNight, type NightKey, type NightRow } from './store.ts'

const LASTS_MS = NIGHT_LASTS_HOURS * HOUR_MS
/** How long before a movie night its members are reminded. */
export const REMINDERS = [
  { kind: 'night-tomorrow', beforeMs: 24 * HOUR_MS },
  { kind: 'night-starting', beforeMs: HOUR_MS / 4 },
] as const
const NEWS = { planned: 'night.planned', changed: 'night.changed', cancelled: 'night.cancelled' } as const

const STATE_TEXTS: Record<NightState, string> = {
  planned: 'This night has not started',
  open: 'This night has already started',
  ended: 'This night has ended',
  cancelled: 'This night was cancelled',
}

type NightChangePorts = Pick<WatchlistPorts, 'database' | 'clock' | 'random' | 'facts'>

export type Found = Pick<Change, 'boxCount' | 'happened' | 'settle'> & {
  readonly row: NightRow
  readonly now: string
  /** @throws {Problem} BAD_REQUEST unless the night is in this state. */
  readonly requireState: (state: NightState) => void
  readonly random: WatchlistPorts['random']
}

type Work<T, R> = (trx: AnyDb, key: NightKey, found: Found & { readonly read: R }) => Promise<T | Sent<T>>

/**
 * Changes a night behind the lock of its watchlist: `changeWatchlist` for members and for holders of a pass. What `read` asks
 * for by prepared statements is sent with the lock.
 */
export async function changeBehindLock<T>(
  ports: NightChangePorts,
  user: Principal,
  verb: NightVerb,
  nightId: string,
  work: Work<T, undefined>,
): Promise<T>
export async function changeBehindLock<T, R>(
  ports: NightChangePorts,
  user: Principal,
  verb: NightVerb,
  nightId: string,
  work: Work<T, R>,
  read: (db: AnyDb, key: NightKey) => Promise<R>,
): Promise<T>
export async function changeBehindLock<T, R>(
  ports: NightChangePorts,
  user: Principal,
  verb: NightVerb,
  nightId: string,
  work: Work<T, R>,
  read?: (db: AnyDb, key: NightKey) => Promise<R>,
): Promise<T> {
  const key = nightKeyOf(nightId)
  const { watchlistId } = key
  const find = async (db: AnyDb) => {
    const asked = [findNight(db, key), read?.(db, key) ?? Promise.resolve(undefined)] as const
    const [row, more] = await together(...asked)
    return { authorId: undefined, row, more: more as R }
  }
  type Read = Awaited<ReturnType<typeof find>>
  const change = async ({ trx, at: now, boxCount, happened, settle, item }: Change<Read>): Promise<T | Sent<T>> => {
    const { row, more } = item
    if (!row) throw new Problem('NOT_FOUND')
    const require = (needed: NightState) => requireState(row, needed, now)
    const found = { row, now, boxCount, requireState: require, random: ports.random, happened, settle, read: more }
    return await work(trx, key, found)
  }
  if (!user.pass) return await changeWatchlist(ports, user, verb, { watchlistId, item: find }, change)
  requirePass(user.pass, verb, key)
  const findAsHolder = async (db: AnyDb) => {
    const [holder, found] = await together(findPass(db, key, { id: user.userId }), find(db))
    return { ...found, holder }
  }
  return await changeWithoutVerb(ports, null, { watchlistId, read: findAsHolder }, async (given) => {
    requireValidPass(given.item.holder, given.at)
    return await change(given)
  })
}

/** Changes a night, and returns it as it is then. */
export async function changeAndPresent(
  ports: NightChangePorts,
  user: Principal,
  verb: NightVerb,
  nightId: string,
  work: (trx: AnyDb, key: NightKey, found: Found) => Promise<void>,
): Promise<Night> {
  return await changeBehindLock(ports, user, verb, nightId, async (trx, key, found) => {
    await work(trx, key, found)
    return presentNight(await requireNight(trx, key), found.now)
  })
}

/** @throws {Problem} BAD_REQUEST unless the night is in this state. */
export function requireState(row: NightRow, needed: NightState, now: string): void {
  const state = stateOf(row, now)
  if (state !== needed) throw new Problem('BAD_REQUEST', STATE_TEXTS[state])
}

/** Records the news of a night, and its reminders in place of earlier ones. Without a fixed time it has none. */
export async function announceNight(
  { happened, settle }: Pick<Change, 'happened' | 'settle'>,
  row: NightRow,
  { news, now }: { news: keyof typeof NEWS; now: string },
): Promise<void> {
  const times = timesOf(row)
  const startsAt = times.length === 1 ? times[0] : undefined
  const night = { nightId: row.id, startsAt }
  happened(NEWS[news], night)
  await arrival(settle({ remindersOf: row.id }))
  if (news === 'cancelled' || startsAt === undefined) return
  for (const { kind, beforeMs } of REMINDERS) {
    const at = new Date(Date.parse(startsAt) - beforeMs).toISOString()
    if (at > now) happened(kind === 'night-tomorrow' ? 'night.tomorrow' : 'night.starting', { ...night, at, by: null })
  }
}

/** @throws {Problem} NOT_FOUND. */
export async function requireNight(db: AnyDb, key: NightKey): Promise<NightRow> {
  const night = await findNight(db, key)
  if (!night) throw new Problem('NOT_FOUND')
  return night
}

/** The columns that planned and open nights share at first. */
export function newNight(
  { random }: Pick<WatchlistPorts, 'random'>,
  user: Principal,
  watchlistId: string,
  now: string,
) {
  return {
    watchlist_id: watchlistId,
    id: random.orderedId(),
    time_zone: null,
    place: null,
    note: null,
    max_runtime_minutes: null,
    revision: 0,
    created_by: user.username,
    created_at: now,
    updated_at: now,
    started_at: null,
    ended_at: null,
    join_code: null,
    many_guests: 0,
  }
}

export function dayAfter(time: string): string {
  return new Date(Date.parse(time) + LASTS_MS).toISOString()
}

export function personAt({ userId, username }: Principal, { watchlistId, id }: NightKey) {
  return { watchlist_id: watchlistId, night_id: id, user_id: userId, username }
}
