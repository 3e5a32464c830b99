import type { Night, NightState } from '@marquee/contract/entities/night'
import { Problem } from '@marquee/contract/problems'

import type { Principal } from '../../../club/people/service.ts'
import type { NightKey, NightRow, NightTables } from './store.ts'
import { localTimeOf } from './times.ts'

/** An id names the watchlist, so that every statement can, too. */
export function nightIdOf({
  watchlist_id: watchlistId,
  id,
}: Pick<NightTables['night'], 'watchlist_id' | 'id'>): string {
  return `${watchlistId}_${id}`
}

/** @throws {Problem} NOT_FOUND. */
export function nightKeyOf(nightId: string): NightKey {
  const end = nightId.lastIndexOf('_')
  if (end === -1) throw new Problem('NOT_FOUND')
  return { watchlistId: nightId.slice(0, end), id: nightId.slice(end + 1) }
}

export function timesOf({ times }: Pick<NightTables['night'], 'times'>): string[] {
  return JSON.parse(times) as string[]
}

/** An open night that was forgotten has ended by itself. */
export function stateOf({ state, current_until: until }: NightTables['night'], now: string): NightState {
  return state === 'open' && until <= now ? 'ended' : state
}

/** Whether a night has a calendar entry: proposed times have none. */
export function hasEntry({ times }: Pick<Night, 'times'>): boolean {
  return times.length === 1
}

export function presentNight(row: NightRow, now: string): Night {
  const answers = JSON.parse(row.answers) as (Night['times'][number]['answers'][number] & { startsAt: string })[]
  const state = stateOf(row, now)
  return {
    id: nightIdOf(row),
    watchlistId: row.watchlist_id,
    state,
    times: timesOf(row).map((startsAt) => ({
      startsAt,
      localTime: localTimeOf(startsAt, row.time_zone),
      answers: answers.filter((one) => one.startsAt === startsAt).map(({ username, answer }) => ({ username, answer })),
    })),
    timeZone: row.time_zone,
    place: row.place,
    note: row.note,
    maxRuntimeMinutes: row.max_runtime_minutes,
    createdBy: row.created_by,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: state === 'ended' ? (row.ended_at ?? row.current_until) : null,
    present: state === 'open' ? (JSON.parse(row.present) as Night['present']) : [],
    guests: state === 'open' ? (JSON.parse(row.guests) as Night['guests']) : [],
    joinCode: state === 'open' ? row.join_code : null,
    allowsManyGuests: row.many_guests === 1,
  }
}

/** Without the code that lets others in, if the caller has a token that only reads. */
export function visibleTo<T extends { readonly joinCode: string | null }>({ tokenScope }: Principal, night: T): T {
  return tokenScope === 'read' ? { ...night, joinCode: null } : night
}
