import type { NightPlan } from '@marquee/contract/endpoints/nights'
import type { Night, NightAnswer } from '@marquee/contract/entities/night'
import { MAX_PLANNED_NIGHTS, NIGHT_LASTS_HOURS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { addSeedLocked, deleteSeedsOf, type DrawNights } from '../draws/service.ts'
import { activityOf, deleteReminders, insertActivity } from '../activities/service.ts'
import type { User } from '../profiles/service.ts'
import { type Access, authorize, authorizeRead } from '../watchlists/service.ts'
import { announceNight, changeBehindLock, type Found, requireNight, requireState } from './change.ts'
import { deleteFeeds } from './feed.ts'
import { readersOf, mailMembers, type NightCalendar, type NightMail, type NightMailPorts } from './mails.ts'
import { endPasses } from './guests.ts'
import { authorizeNight, type NightVerb } from './passes.ts'
import { nightKeyOf, presentNight, stateOf, timesOf } from './present.ts'
import {
  deleteOtherAnswers,
  deletePeople,
  endForgotten,
  endPresence,
  findNight,
  insertNight,
  listCurrent,
  listNightsOf,
  type NightKey,
  type NightRow,
  type NightTables,
  saveAnswer,
  saveNight,
  savePresence,
} from './store.ts'
import { readTimes } from './times.ts'
import { deleteBallots } from './vote-store.ts'
import { requirePresence } from './read-vote.ts'
import { closeIfComplete, type Closing } from './votes.ts'

export type NightPorts = NightMailPorts

const LASTS_MS = NIGHT_LASTS_HOURS * 60 * 60_000

/** The open night, then the planned ones, soonest first. */
export async function listNights(
  { database, clock }: Pick<NightPorts, 'database' | 'clock'>,
  { watchlistId }: Access,
): Promise<Night[]> {
  const now = clock.now().toISOString()
  const nights = (await listCurrent(database.read, watchlistId, now)).map((row) => presentNight(row, now))
  const order = ({ state, times, id }: Night) => `${state === 'open' ? 0 : 1} ${times[0]?.startsAt ?? ''} ${id}`
  return nights.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getNight({ database: { read }, clock }: NightPorts, user: User, nightId: string): Promise<Night> {
  const key = nightKeyOf(nightId)
  await authorizeRead(read, user, 'night.read', key.watchlistId)
  return presentNight(await requireNight(read, key), clock.now().toISOString())
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST for a wrong time, or if too many nights are planned. */
export async function planNight(ports: NightPorts, user: User, watchlistId: string, plan: NightPlan): Promise<Night> {
  const now = ports.clock.now().toISOString()
  const times = readTimes(plan, { now })
  await authorizeRead(ports.database.read, user, 'night.plan', watchlistId)
  const readers = await readersOf(ports, watchlistId, 'nights')
  const night = await ports.database.transaction(async (trx) => {
    await authorize(trx, user, 'night.plan', watchlistId)
    if ((await listCurrent(trx, watchlistId, now)).length >= MAX_PLANNED_NIGHTS) {
      throw new Problem('BAD_REQUEST', `A watchlist cannot have more than ${MAX_PLANNED_NIGHTS} planned nights`)
    }
    const row = newNight(ports, user, watchlistId, now)
    await insertNight(trx, { ...row, ...planColumns(plan, times), state: 'planned' })
    const planned = await requireNight(trx, { watchlistId, id: row.id })
    await announceNight(trx, ports, planned, { news: 'planned', by: user.username, now })
    await mailMembers(ports, trx, { row: planned, before: undefined, user, news: 'planned', readers })
    return presentNight(planned, now)
  })
  ports.mail.wake()
  ports.live.publish({ kind: 'nights-changed', watchlistId, by: user.username })
  return night
}

/**
 * Starts a night without a plan. If one is open already, the caller joins it: of two that start at once, both get the same.
 * @throws {Problem} NOT_FOUND; FORBIDDEN.
 */
export async function openNight(ports: NightPorts, user: User, watchlistId: string): Promise<Night> {
  const now = ports.clock.now().toISOString()
  const night = await ports.database.transaction(async (trx) => {
    await authorize(trx, user, 'night.run', watchlistId)
    await endForgotten(trx, watchlistId, now)
    const row = newNight(ports, user, watchlistId, now)
    const isNew = await insertNight(trx, { ...row, ...openColumns(now), times: '[]', state: 'open' })
    const id = isNew ? row.id : (await requireOpen(trx, watchlistId, now)).id
    await savePresence(trx, presenceOf(user, { watchlistId, id }, now))
    if (isNew) await recordStart(trx, ports, user, { watchlistId, id }, now)
    return presentNight(await requireNight(trx, { watchlistId, id }), now)
  })
  ports.live.publish({ kind: 'nights-changed', watchlistId, by: user.username })
  return night
}

/** Changes the plan. Answers to times that stay are kept. @throws {Problem} as `planNight`. */
export async function changeNight(ports: NightPorts, user: User, nightId: string, plan: NightPlan): Promise<Night> {
  return await changePlan(ports, user, nightId, 'changed', async (trx, key, { row, now, requireState }) => {
    requireState('planned')
    const times = readTimes(plan, { now, known: timesOf(row) })
    await saveNight(trx, key, { ...planColumns(plan, times), updated_at: now }, true)
    await deleteOtherAnswers(trx, key, times)
    return true
  })
}

/** Fixes one of the proposed times. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it is not proposed. */
export async function fixNightTime(ports: NightPorts, user: User, nightId: string, startsAt: string): Promise<Night> {
  return await changePlan(ports, user, nightId, 'changed', async (trx, key, { row, now, requireState }) => {
    requireState('planned')
    requireProposed(row, startsAt)
    if (timesOf(row).length === 1) return false
    await saveNight(trx, key, { ...timeColumns([startsAt]), updated_at: now }, true)
    await deleteOtherAnswers(trx, key, [startsAt])
    return true
  })
}

/** Answers one time, or withdraws the answer. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it is not proposed. */
export async function answerNight(
  ports: NightPorts,
  user: User,
  nightId: string,
  { startsAt, answer }: { startsAt: string; answer: NightAnswer | null },
): Promise<Night> {
  return await change(ports, user, 'night.answer', nightId, async (trx, key, { row, requireState }) => {
    requireState('planned')
    requireProposed(row, startsAt)
    await saveAnswer(trx, { ...personAt(user, key), starts_at: startsAt, answer })
  })
}

/** Cancels a planned night. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function cancelNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await changePlan(ports, user, nightId, 'cancelled', async (trx, key, { row, now, requireState }) => {
    if (row.state === 'cancelled') return false
    requireState('planned')
    await saveNight(trx, key, { state: 'cancelled', current_until: now, updated_at: now }, true)
    return true
  })
}

/**
 * Starts a planned night; the caller is present. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it is over, or another night is open.
 */
export async function startNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await change(ports, user, 'night.run', nightId, async (trx, key, { row, now, requireState }) => {
    if (stateOf(row, now) === 'open') return
    requireState('planned')
    await endForgotten(trx, key.watchlistId, now)
    const isOpen = (await listCurrent(trx, key.watchlistId, now)).some(({ state }) => state === 'open')
    if (isOpen) throw new Problem('BAD_REQUEST', 'Another night is open: end it first')
    await saveNight(trx, key, { ...openColumns(now), state: 'open', updated_at: now }, false)
    await deleteReminders(trx, key.watchlistId, key.id)
    await savePresence(trx, presenceOf(user, key, now))
    await recordStart(trx, ports, user, key, now)
  })
}

/** Ends the open night and its vote. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function endNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await change(ports, user, 'night.run', nightId, async (trx, key, found) => {
    const { row, now } = found
    if (stateOf(row, now) === 'ended') return
    found.requireState('open')
    await closeIfComplete(trx, key, found, true)
    await endPasses(trx, key, row, now)
    await saveNight(trx, key, { state: 'ended', ended_at: now, current_until: now, updated_at: now }, false)
  })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the night is not open. */
export async function arriveAtNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await change(ports, user, 'night.attend', nightId, async (trx, key, { now, requireState }) => {
    requireState('open')
    await savePresence(trx, presenceOf(user, key, now))
  })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the night is not open. */
export async function leaveNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await change(ports, user, 'night.attend', nightId, async (trx, key, found) => {
    found.requireState('open')
    await endPresence(trx, key, { userId: user.userId, at: found.now })
    await closeIfComplete(trx, key, found)
  })
}

/**
 * Adds a seed of a device to a prepared draw of the night. Repeating the call changes nothing.
 * @throws {Problem} as `authorizeNight`; BAD_REQUEST if the night is not open, the caller is not there or there are too many seeds; CONFLICT if no draw waits for seeds.
 */
export async function addSeed(
  { database, clock }: Pick<NightPorts, 'database' | 'clock'>,
  user: User,
  nightId: string,
  { seed, drawNumber }: { seed: string; drawNumber?: number | undefined },
): Promise<void> {
  const key = nightKeyOf(nightId)
  await database.transaction(async (trx) => {
    const now = clock.now()
    await authorizeNight(trx, user, 'night.addSeed', key, now.toISOString())
    requireState(await requireNight(trx, key), 'open', now.toISOString())
    await requirePresence(trx, key, user)
    await addSeedLocked(trx, key.watchlistId, { nightId, personId: user.userId, seed, drawNumber }, now)
  })
}

/** What the data export of a user has of a watchlist: the nights that they planned, answered or attended. */
export async function exportNights(
  { database, clock }: Pick<NightPorts, 'database' | 'clock'>,
  watchlistId: string,
  user: User,
): Promise<Night[]> {
  const rows = await listNightsOf(database.read, watchlistId, user)
  return rows.map((row) => presentNight(row, clock.now().toISOString()))
}

export { attendance } from './attendance.ts'
export { forgetGuest } from './claims.ts'
export { authorizeNightRead, findPassHolder } from './passes.ts'
export { nightKeyOf } from './present.ts'
export { type RatingMail, startRatingReminders } from './reminders.ts'
export { sweepScreenCodes } from './screens.ts'
export { countNights } from './statistics-store.ts'
/** A night, without a check of access. */
export async function findNightById(db: AnyDb, key: NightKey, now: string): Promise<Night | undefined> {
  const row = await findNight(db, key)
  return row && presentNight(row, now)
}

export { exportVetoes } from './vetoes.ts'
export { exportBallots } from './votes.ts'
export type { NightCalendar, NightMail }

/** What watchlists need when a member leaves. */
export const nightKeeping = {
  forget: async (trx: AnyDb, watchlistId: string, userIds: readonly string[], closing: Closing): Promise<void> => {
    await deletePeople(trx, watchlistId, userIds)
    await deleteFeeds(trx, watchlistId, userIds)
    await deleteBallots(trx, watchlistId, userIds)
    await deleteSeedsOf(trx, watchlistId, userIds)
    const [open] = await listCurrent(trx, watchlistId, closing.now, ['open'])
    if (open) await closeIfComplete(trx, { watchlistId, id: open.id }, closing)
  },
}

/** What draws need of nights. */
export const drawNights: DrawNights = {
  requireOpen: async (trx, watchlistId, { nightId, now }) => {
    const key = nightKeyOf(nightId)
    if (key.watchlistId !== watchlistId) throw new Problem('NOT_FOUND')
    requireState(await requireNight(trx, key), 'open', now.toISOString())
  },
}

/** Changes the plan of a night, and sends the members a mail if `work` returns true: it has changed something. */
async function changePlan(
  ports: NightPorts,
  user: User,
  nightId: string,
  news: NightMail['news'],
  work: (trx: AnyDb, key: NightKey, found: Found) => Promise<boolean>,
): Promise<Night> {
  const { watchlistId } = nightKeyOf(nightId)
  await authorizeRead(ports.database.read, user, 'night.plan', watchlistId)
  const readers = await readersOf(ports, watchlistId, 'nights')
  const night = await change(ports, user, 'night.plan', nightId, async (trx, key, found) => {
    if (!(await work(trx, key, found))) return
    const before = presentNight(found.row, found.now)
    const row = await requireNight(trx, key)
    await announceNight(trx, ports, row, { news, by: user.username, now: found.now })
    await mailMembers(ports, trx, { row, before, user, news, readers })
  })
  ports.mail.wake()
  return night
}

/** Changes a night, and gives it as it is then. */
async function change(
  ports: NightPorts,
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

async function recordStart(
  trx: AnyDb,
  ports: Pick<NightPorts, 'random'>,
  { username: by }: User,
  { watchlistId, id: nightId }: NightKey,
  at: string,
): Promise<void> {
  await insertActivity(trx, activityOf(ports, { kind: 'night-started', watchlistId, nightId, by, at }))
}

async function requireOpen(trx: AnyDb, watchlistId: string, now: string): Promise<NightRow> {
  const night = (await listCurrent(trx, watchlistId, now)).find(({ state }) => state === 'open')
  if (!night) throw new Error(`${watchlistId} has an open night that cannot be found`)
  return night
}

function requireProposed(row: NightRow, startsAt: string): void {
  if (!timesOf(row).includes(startsAt)) throw new Problem('BAD_REQUEST', 'startsAt: This time is not proposed')
}

function newNight({ random }: NightPorts, user: User, watchlistId: string, now: string) {
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
  }
}

function planColumns({ timeZone, place, note, maxRuntimeMinutes }: NightPlan, times: readonly string[]) {
  return { ...timeColumns(times), time_zone: timeZone, place, note, max_runtime_minutes: maxRuntimeMinutes ?? null }
}

function timeColumns(times: readonly string[]) {
  return { times: JSON.stringify(times), current_until: dayAfter(times.at(-1) ?? '') }
}

function openColumns(now: string) {
  return { started_at: now, current_until: dayAfter(now) }
}

function dayAfter(time: string): string {
  return new Date(Date.parse(time) + LASTS_MS).toISOString()
}

function personAt({ userId, username }: User, { watchlistId, id }: NightKey) {
  return { watchlist_id: watchlistId, night_id: id, user_id: userId, username }
}

function presenceOf(user: User, key: NightKey, since: string): Omit<NightTables['night_presence'], 'left_at'> {
  return { ...personAt(user, key), since }
}
