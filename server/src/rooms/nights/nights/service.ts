import type { Night } from '@marquee/contract/entities/night'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { arrival } from '@marquee/platform/database/sent'

import { addHashLocked, addSeedLocked, deleteSeedsOf, findSeedHashes as findHashes } from '../../draws/service.ts'
import type { Principal, User } from '../../club/people/service.ts'
import { type Access, authorizeRead, changeWatchlist } from '../../club/watchlists/service.ts'
import { changeAndPresent, changeBehindLock, dayAfter, newNight, personAt, requireNight } from './night/change.ts'
import { deleteFeeds } from './plan/feed.ts'
import { endForgotten } from './forgotten.ts'
import type { NightCalendar, NightMail, NightMailPorts } from './plan/mails.ts'
import { deleteWaitingMails } from './plan/waiting-mail-store.ts'
import { takeClaimed } from './passes/claims.ts'
import { endPasses, renewCode } from './passes/guests.ts'
import { endPassesBy, listPassesBy } from './night/pass-store.ts'
import { authorizeNightRead } from './night/passes.ts'
import { nightKeyOf, presentNight, stateOf, visibleTo } from './night/present.ts'
import {
  deleteAnswers,
  endPresence,
  findNight,
  insertNight,
  listCurrent,
  listNightsOf,
  type NightKey,
  type NightRow,
  type NightTables,
  saveNight,
  savePresence,
} from './night/store.ts'
import { deleteBallots } from './vote/vote-store.ts'
import { requirePresence } from './vote/latest-vote.ts'
import { closeIfComplete, type Closing, keepOnRoll, keepUnnamedOnRoll } from './vote/votes.ts'

export { attendance } from './presence/attendance.ts'
export { answerUrls } from './plan/answer-links.ts'
export { REMINDERS } from './night/change.ts'
export { forgetGuest, listGuestIn } from './passes/claims.ts'
export { drawNights } from './presence/draw-nights.ts'
export { sweepForgotten } from './forgotten.ts'
export type { GuestPorts } from './passes/guests.ts'
export { authorizeNightRead, findPassHolder } from './night/passes.ts'
export { nightKeyOf } from './night/present.ts'
export { type RatingMail, startRatingReminders } from './plan/reminders.ts'
export { startWaitingNightMails } from './plan/waiting-mails.ts'
export { sweepScreenCodes } from './passes/screens.ts'
export { countNights } from './statistics-store.ts'
export { exportVetoes } from './vote/vetoes.ts'
export { exportBallots } from './vote/votes.ts'
export type { NightCalendar, NightMail }

export type NightPorts = NightMailPorts

/** The open night, then the planned ones, soonest first. */
export async function listNights(
  { database, clock }: Pick<NightPorts, 'database' | 'clock'>,
  user: User,
  { watchlistId }: Access,
): Promise<Night[]> {
  const now = clock.now().toISOString()
  const nights = (await listCurrent(database.read, watchlistId, now)).map((row) =>
    visibleTo(user, presentNight(row, now)),
  )
  const order = ({ state, times, id }: Night) => `${state === 'open' ? 0 : 1} ${times[0]?.startsAt ?? ''} ${id}`
  return nights.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getNight({ database: { read }, clock }: NightPorts, user: User, nightId: string): Promise<Night> {
  const key = nightKeyOf(nightId)
  await authorizeRead(read, user, 'night.read', key.watchlistId)
  return visibleTo(user, presentNight(await requireNight(read, key), clock.now().toISOString()))
}

/**
 * Starts a night without a plan. If one is open already, the caller joins it: of two that start at once, both get the same.
 * @throws {Problem} NOT_FOUND; FORBIDDEN.
 */
export async function openNight(ports: NightPorts, user: User, watchlistId: string): Promise<Night> {
  return await changeWatchlist(ports, user, 'night.run', { watchlistId }, async ({ trx, at: now, happened }) => {
    await endForgotten(trx, watchlistId, now)
    const row = newNight(ports, user, watchlistId, now)
    const isNew = await insertNight(trx, { ...row, ...openColumns(now), times: '[]', state: 'open' })
    const id = isNew ? row.id : (await requireOpen(trx, watchlistId, now)).id
    const key = { watchlistId, id }
    if (!isNew) await takeClaimed(trx, key, user, { now, happened })
    await savePresence(trx, presenceOf(user, key, now))
    happened(isNew ? 'night.started' : 'night.attended', { nightId: id })
    return presentNight(await requireNight(trx, key), now)
  })
}

/**
 * Starts a planned night; the caller is present. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it is over, or another night is open.
 */
export async function startNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.run', nightId, async (trx, key, found) => {
    const { row, now, happened, settle } = found
    if (stateOf(row, now) === 'open') return
    found.requireState('planned')
    await endForgotten(trx, key.watchlistId, now)
    const isOpen = (await listCurrent(trx, key.watchlistId, now)).some(({ state }) => state === 'open')
    if (isOpen) throw new Problem('BAD_REQUEST', 'Another night is on: end it first')
    await saveNight(trx, key, { ...openColumns(now), state: 'open', updated_at: now }, false)
    await arrival(settle({ remindersOf: key.id }))
    await savePresence(trx, presenceOf(user, key, now))
    happened('night.started', { nightId: key.id })
  })
}

/** Ends the open night and its vote. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function endNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.run', nightId, async (trx, key, found) => {
    const { row, now } = found
    if (stateOf(row, now) === 'ended') return
    found.requireState('open')
    await closeIfComplete(trx, key, found, true)
    await endPasses(trx, key, row, now)
    await saveNight(trx, key, { state: 'ended', ended_at: now, current_until: now, updated_at: now }, false)
    found.happened('night.ended')
  })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the night is not open. */
export async function arriveAtNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.attend', nightId, async (trx, key, found) => {
    found.requireState('open')
    await takeClaimed(trx, key, user, found)
    await savePresence(trx, presenceOf(user, key, found.now))
    found.happened('night.attended')
  })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the night is not open. */
export async function leaveNight(ports: NightPorts, user: User, nightId: string): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.attend', nightId, async (trx, key, found) => {
    found.requireState('open')
    await keepOnRoll(trx, key, user.userId, 'left')
    await endPresence(trx, key, { userId: user.userId, at: found.now })
    found.happened('night.attended')
  })
}

/**
 * Adds the hash of a seed of a device to a prepared draw of the night. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; UNAUTHORIZED; BAD_REQUEST if the night is not open, the caller is not there or there are too many
 * hashes; CONFLICT if no draw takes hashes.
 */
export async function addSeedHash(
  ports: NightPorts,
  user: Principal,
  nightId: string,
  { hash, drawNumber }: { hash: string; drawNumber?: number | undefined },
): Promise<void> {
  await atDraw(ports, user, nightId, async (trx, watchlistId, now) => {
    await addHashLocked(trx, watchlistId, { nightId, person: user, hash, drawNumber }, now)
  })
}

/**
 * Opens a seed of a device for a draw of the night whose hashes are closed. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; UNAUTHORIZED; BAD_REQUEST if the night is not open or the caller is not there; CONFLICT if no draw
 * takes this seed.
 */
export async function addSeed(
  ports: NightPorts,
  user: Principal,
  nightId: string,
  { seed, drawNumber }: { seed: string; drawNumber?: number | undefined },
): Promise<void> {
  await atDraw(ports, user, nightId, async (trx, watchlistId, now) => {
    await addSeedLocked(trx, watchlistId, { nightId, seed, drawNumber }, now)
  })
}

async function atDraw(
  ports: NightPorts,
  user: Principal,
  nightId: string,
  work: (trx: AnyDb, watchlistId: string, now: Date) => Promise<void>,
): Promise<void> {
  await changeBehindLock(ports, user, 'night.addSeed', nightId, async (trx, key, { now, requireState }) => {
    requireState('open')
    await requirePresence(trx, key, user)
    await work(trx, key.watchlistId, new Date(now))
  })
}

/** The closed hashes of a draw of the night. @throws {Problem} as `authorizeNightRead`. */
export async function findSeedHashes(
  { database: { read } }: NightPorts,
  user: Principal,
  nightId: string,
  drawNumber: number,
): Promise<string[] | null> {
  const key = nightKeyOf(nightId)
  await authorizeNightRead(read, user, 'night.addSeed', key)
  return await findHashes(read, { watchlistId: key.watchlistId, drawNumber }, nightId)
}

/** What the data export of a user has of a watchlist: the nights that they planned, answered or attended. */
export async function exportNights(
  { database, clock }: Pick<NightPorts, 'database' | 'clock'>,
  watchlistId: string,
  user: User,
): Promise<Night[]> {
  const rows = await listNightsOf(database.read, watchlistId, user)
  return rows.map((row) => ({ ...presentNight(row, clock.now().toISOString()), joinCode: null }))
}

/** A night and when it was cancelled, without a check of access. */
export async function findNightById(
  db: AnyDb,
  key: NightKey,
  now: string,
): Promise<{ night: Night; cancelledAt: string | undefined } | undefined> {
  const row = await findNight(db, key)
  if (!row) return undefined
  const night = presentNight(row, now)
  return { night, cancelledAt: night.state === 'cancelled' ? row.current_until : undefined }
}

/** Forgets former members at nights: their answers, ballots and waiting mails, and the passes that they made. They leave the open night. */
export async function forgetAtNights(
  trx: AnyDb,
  watchlistId: string,
  people: readonly User[],
  closing: Closing,
): Promise<void> {
  const userIds = people.map(({ userId }) => userId)
  // A night that has ended keeps who was there.
  await endForgotten(trx, watchlistId, closing.now)
  const [open] = await listCurrent(trx, watchlistId, closing.now, ['open'])
  if (open) {
    const key = { watchlistId, id: open.id }
    for (const userId of userIds) {
      await keepUnnamedOnRoll(trx, key, userId, closing)
      // What they drew there stays a card of the night.
      await endPresence(trx, key, { userId, at: closing.now })
    }
    for (const passId of await listPassesBy(trx, watchlistId, people)) await keepOnRoll(trx, key, passId, 'removed')
  }
  await deleteAnswers(trx, watchlistId, userIds)
  await deleteFeeds(trx, watchlistId, userIds)
  await deleteWaitingMails(trx, watchlistId, userIds)
  await deleteBallots(trx, watchlistId, userIds)
  await deleteSeedsOf(trx, watchlistId, userIds)
  await endPassesBy(trx, watchlistId, people, closing.now)
  if (!open) return
  // They know the code.
  if (open.join_code !== null) await renewCode(trx, closing, open, closing.now)
  closing.happened('night.attended', { by: null })
}

async function requireOpen(trx: AnyDb, watchlistId: string, now: string): Promise<NightRow> {
  const night = (await listCurrent(trx, watchlistId, now)).find(({ state }) => state === 'open')
  if (!night) throw new Error(`${watchlistId} has an open night that cannot be found`)
  return night
}

function openColumns(now: string) {
  return { started_at: now, current_until: dayAfter(now) }
}

function presenceOf(user: User, key: NightKey, since: string): Omit<NightTables['night_presence'], 'left_at'> {
  return { ...personAt(user, key), since }
}
