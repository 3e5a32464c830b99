import type { NightPlan } from '@marquee/contract/endpoints/nights'
import type { Night, NightAnswer } from '@marquee/contract/entities/night'
import { MAX_PLANNED_NIGHTS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../../../club/people/service.ts'
import { authorizeRead, changeWatchlist } from '../../../club/watchlists/service.ts'
import {
  announceNight,
  changeAndPresent,
  dayAfter,
  type Found,
  newNight,
  personAt,
  requireNight,
} from '../night/change.ts'
import { mailMembers, type NightMailPorts, type NightChange, withAddresses } from './mails.ts'
import { nightKeyOf, presentNight, timesOf } from '../night/present.ts'
import {
  deleteOtherAnswers,
  insertNight,
  listCurrent,
  type NightKey,
  type NightRow,
  saveAnswer,
  saveNight,
} from '../night/store.ts'
import { readTimes } from '../night/times.ts'

/** @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST for a wrong time, or if too many nights are planned. */
export async function planNight(
  ports: NightMailPorts,
  user: User,
  watchlistId: string,
  plan: NightPlan,
): Promise<Night> {
  const times = readTimes(plan, { now: ports.clock.now().toISOString() })
  await authorizeRead(ports.database.read, user, 'night.plan', watchlistId)
  const night = await withAddresses(ports, watchlistId, async (addresses) => {
    return await changeWatchlist(ports, user, 'night.plan', { watchlistId }, async ({ trx, ...change }) => {
      const { now: time, at: now } = change
      if ((await listCurrent(trx, watchlistId, now)).length >= MAX_PLANNED_NIGHTS) {
        throw new Problem('BAD_REQUEST', `A watchlist cannot have more than ${MAX_PLANNED_NIGHTS} planned nights`)
      }
      const row = newNight(ports, user, watchlistId, now)
      await insertNight(trx, { ...row, ...planColumns(plan, times), state: 'planned' })
      const planned = await requireNight(trx, { watchlistId, id: row.id })
      await announceNight(change, planned, { news: 'planned', now })
      const about = { row: planned, before: undefined, user, news: 'planned' } as const
      await mailMembers(ports, trx, { ...about, ...addresses, now: time })
      return presentNight(planned, now)
    })
  })
  ports.mail.wake()
  return night
}

/** Changes the plan. Answers to times that stay are kept. @throws {Problem} as `planNight`. */
export async function changeNight(ports: NightMailPorts, user: User, nightId: string, plan: NightPlan): Promise<Night> {
  return await changePlan(ports, user, nightId, 'changed', async (trx, key, { row, now, requireState }) => {
    requireState('planned')
    const times = readTimes(plan, { now, known: timesOf(row) })
    await saveNight(trx, key, { ...planColumns(plan, times), updated_at: now }, true)
    await deleteOtherAnswers(trx, key, times)
    return true
  })
}

/** Fixes one of the proposed times. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if it is not proposed. */
export async function fixNightTime(
  ports: NightMailPorts,
  user: User,
  nightId: string,
  startsAt: string,
): Promise<Night> {
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
  ports: NightMailPorts,
  user: User,
  nightId: string,
  { startsAt, answer }: { startsAt: string; answer: NightAnswer | null },
): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.answer', nightId, async (trx, key, found) => {
    found.requireState('planned')
    requireProposed(found.row, startsAt)
    await saveAnswer(trx, { ...personAt(user, key), starts_at: startsAt, answer })
    found.happened('night.answered')
  })
}

/** Cancels a planned night. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function cancelNight(ports: NightMailPorts, user: User, nightId: string): Promise<Night> {
  return await changePlan(ports, user, nightId, 'cancelled', async (trx, key, { row, now, requireState }) => {
    if (row.state === 'cancelled') return false
    requireState('planned')
    await saveNight(trx, key, { state: 'cancelled', current_until: now, updated_at: now }, true)
    return true
  })
}

/** Changes the plan of a night, and sends the members a mail if `work` returns true: it has changed something. */
async function changePlan(
  ports: NightMailPorts,
  user: User,
  nightId: string,
  news: NightChange,
  work: (trx: AnyDb, key: NightKey, found: Found) => Promise<boolean>,
): Promise<Night> {
  const { watchlistId } = nightKeyOf(nightId)
  await authorizeRead(ports.database.read, user, 'night.plan', watchlistId)
  const night = await withAddresses(ports, watchlistId, async (addresses) => {
    return await changeAndPresent(ports, user, 'night.plan', nightId, async (trx, key, found) => {
      if (!(await work(trx, key, found))) return
      const before = presentNight(found.row, found.now)
      const row = await requireNight(trx, key)
      await announceNight(found, row, { news, now: found.now })
      await mailMembers(ports, trx, { row, before, user, news, ...addresses, now: new Date(found.now) })
    })
  })
  ports.mail.wake()
  return night
}

function requireProposed(row: NightRow, startsAt: string): void {
  if (!timesOf(row).includes(startsAt))
    throw new Problem('BAD_REQUEST', 'startsAt: This time is not one of the options')
}

function planColumns({ timeZone, place, note, maxRuntimeMinutes }: NightPlan, times: readonly string[]) {
  return { ...timeColumns(times), time_zone: timeZone, place, note, max_runtime_minutes: maxRuntimeMinutes ?? null }
}

function timeColumns(times: readonly string[]) {
  return { times: JSON.stringify(times), current_until: dayAfter(times.at(-1) ?? '') }
}
