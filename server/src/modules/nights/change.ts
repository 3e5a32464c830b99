import type { Night, NightState } from '@marquee/contract/entities/night'
import { NIGHT_LASTS_HOURS } from '@marquee/contract/limits'
import type { PublishedEvent } from '@marquee/contract/live-events'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { activityOf, deleteReminders, insertActivity, setReminders } from '../activities/service.ts'
import type { User } from '../profiles/service.ts'
import { touchAgain, type WatchlistPorts } from '../watchlists/service.ts'
import { authorizeNight, type NightVerb } from './passes.ts'
import { nightKeyOf, presentNight, stateOf, timesOf } from './present.ts'
import { findNight, type NightKey, type NightRow } from './store.ts'

const LASTS_MS = NIGHT_LASTS_HOURS * 60 * 60_000

const STATE_TEXTS: Record<NightState, string> = {
  planned: 'This night has not started',
  open: 'This night has started already',
  ended: 'This night has ended',
  cancelled: 'This night was cancelled',
}

type ChangePorts = Pick<WatchlistPorts, 'database' | 'clock' | 'random' | 'live'>

export type Found = {
  readonly row: NightRow
  readonly now: string
  readonly boxCount: number
  /** @throws {Problem} BAD_REQUEST unless the night is in this state. */
  readonly requireState: (state: NightState) => void
  readonly random: WatchlistPorts['random']
  /** Publishes an event about cards after the commit. */
  readonly publish: (event: PublishedEvent) => void
}

/** Changes a night behind the lock of its watchlist. The event names the member, unless it is a vote. */
export async function changeBehindLock<T>(
  { database, clock, random, live }: ChangePorts,
  user: User,
  verb: NightVerb,
  nightId: string,
  work: (trx: AnyDb, key: NightKey, found: Found) => Promise<T>,
): Promise<T> {
  const key = nightKeyOf(nightId)
  const { watchlistId } = key
  const now = clock.now().toISOString()
  const events: PublishedEvent[] = []
  const result = await database.transaction(async (trx) => {
    const boxCount = await authorizeNight(trx, user, verb, key, now)
    const row = await requireNight(trx, key)
    const publish = (event: PublishedEvent) => void events.push(event)
    const done = await work(trx, key, {
      row,
      now,
      boxCount,
      requireState: (needed) => requireState(row, needed, now),
      random,
      publish,
    })
    if (!events.some(({ kind }) => kind.startsWith('card-'))) return done
    return touchAgain(trx, watchlistId, { changesFeed: true }).map(() => done)
  })
  for (const event of events) live.publish(event)
  const isNamed = !user.pass && verb !== 'night.vote' && verb !== 'night.shortlist'
  live.publish({ kind: 'nights-changed', watchlistId, ...(isNamed && { by: user.username }) })
  return result
}

/** Changes a night, and returns it as it is then. */
export async function changeAndPresent(
  ports: ChangePorts,
  user: User,
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

/** Records the news of a night for its members, and sets its reminders. */
export async function announceNight(
  trx: AnyDb,
  ports: Pick<WatchlistPorts, 'random'>,
  row: NightRow,
  { news, by, now }: { news: 'planned' | 'changed' | 'cancelled'; by: string; now: string },
): Promise<void> {
  const times = timesOf(row)
  const night = { watchlistId: row.watchlist_id, nightId: row.id, ...(times.length === 1 && { startsAt: times[0] }) }
  await insertActivity(trx, activityOf(ports, { kind: `night-${news}`, ...night, by, at: now }))
  if (news === 'cancelled') await deleteReminders(trx, row.watchlist_id, row.id)
  else await setReminders(trx, ports, { ...night, now })
}

/** @throws {Problem} NOT_FOUND. */
export async function requireNight(db: AnyDb, key: NightKey): Promise<NightRow> {
  const night = await findNight(db, key)
  if (!night) throw new Problem('NOT_FOUND')
  return night
}

/** The columns that planned and open nights share at first. */
export function newNight({ random }: Pick<WatchlistPorts, 'random'>, user: User, watchlistId: string, now: string) {
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

export function personAt({ userId, username }: User, { watchlistId, id }: NightKey) {
  return { watchlist_id: watchlistId, night_id: id, user_id: userId, username }
}
