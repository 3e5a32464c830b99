import { NIGHT_GUEST_ENDPOINTS } from '@marquee/contract/endpoints/night-guests'
import { NIGHT_ENDPOINTS } from '@marquee/contract/endpoints/nights'
import type { Night, NightAnswer, NightTime } from '@marquee/contract/entities/night'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call, send, useCreation } from '#web/api/call.ts'
import { newIdempotencyKey } from '#web/api/idempotency.ts'
import { KEPT, type Kept } from '#web/api/kept.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { useChange, useReadAgain } from '#web/api/read-again.ts'
import { perform, useWaiting } from '#web/offline/outbox/waiting.ts'

import { nightList } from './night-list.ts'
import { localMomentText } from './night-times.ts'

const nightKeys = {
  films: (watchlistId: string) => ['night-films', watchlistId] as const,
  calendar: (watchlistId: string) => ['night-calendar', watchlistId] as const,
}

/** The movies of the latest nights, newest first. */
export const nightFilms = (watchlistId: string) =>
  queryOptions({
    queryKey: nightKeys.films(watchlistId),
    queryFn: async ({ signal }) =>
      (await call(NIGHT_ENDPOINTS.listNightFilms, { params: { watchlistId }, signal })).films,
  })

/** Reads the nights and their movies again when a member changes one, and after a lost connection. */
export function useLiveNights(watchlistId: string): void {
  const client = useQueryClient()
  const { queryKey } = nightList(watchlistId)
  useReadAgain(watchlistId, queryKey, (kind) => kind === 'nights-changed' || kind === 'members-changed')
  useReadAgain(watchlistId, nightKeys.films(watchlistId), (kind) =>
    ['viewings-changed', 'card-changed', 'card-deleted'].includes(kind),
  )
  useLiveEvents(watchlistId, { onGone: () => void client.invalidateQueries({ queryKey }) })
}

/** A change of a night whose reply is the night. After a failure the nights are read again: another member may have been faster. */
function useNightChange<Input>(watchlistId: string, mutationFn: (input: Input) => Promise<Night | Kept>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (night) => {
      if (night !== KEPT) showNight(client, night)
    },
    onError: () => void client.invalidateQueries({ queryKey: nightList(watchlistId).queryKey }),
  })
}

export function showNight(client: QueryClient, night: Night): void {
  const { queryKey } = nightList(night.watchlistId)
  const isKnown = client.getQueryData(queryKey)?.nights.some(({ id }) => id === night.id) ?? false
  client.setQueryData(
    queryKey,
    (list) => list && { ...list, nights: list.nights.map((one) => (one.id === night.id ? night : one)) },
  )
  // The server sorts them, and leaves out those that are over.
  if (!isKnown || (night.state !== 'planned' && night.state !== 'open')) void client.invalidateQueries({ queryKey })
}

/** Plans a night, or changes the given one. */
export function useSavePlan(watchlistId: string, night: Night | undefined) {
  const plan = useCreation(NIGHT_ENDPOINTS.planNight, { watchlistId })
  const change = night && send(NIGHT_ENDPOINTS.changeNight, { nightId: night.id })
  return useNightChange(watchlistId, change ?? plan)
}

/** Starts a night without a plan. */
export function useOpenNight(watchlistId: string) {
  return useNightChange(watchlistId, send(NIGHT_ENDPOINTS.openNight, { watchlistId }))
}

const STEPS = {
  start: NIGHT_ENDPOINTS.startNight,
  end: NIGHT_ENDPOINTS.endNight,
  cancel: NIGHT_ENDPOINTS.cancelNight,
  arrive: NIGHT_ENDPOINTS.arriveAtNight,
  leave: NIGHT_ENDPOINTS.leaveNight,
  letGuestsIn: NIGHT_GUEST_ENDPOINTS.makeNightCode,
  renewCode: NIGHT_GUEST_ENDPOINTS.renewNightCode,
} as const

/** Starts, ends or cancels a night, lets guests in, or says that the user is here. */
export function useNightStep({ watchlistId, id: nightId }: Night) {
  return useNightChange(watchlistId, async (step: keyof typeof STEPS) => call(STEPS[step], { params: { nightId } }))
}

export function useRemoveGuest({ watchlistId, id: nightId }: Night) {
  return useChange(
    async (guestId: string) => call(NIGHT_GUEST_ENDPOINTS.removeGuest, { params: { nightId, guestId } }),
    nightList(watchlistId).queryKey,
  )
}

/** Lets many guests join from one address, or not. */
export function useGuestLimit({ watchlistId, id: nightId }: Night) {
  return useNightChange(watchlistId, async (allowsManyGuests: boolean) =>
    call(NIGHT_GUEST_ENDPOINTS.setGuestLimit, { params: { nightId }, body: { allowsManyGuests } }),
  )
}

export function useFixTime({ watchlistId, id: nightId }: Night) {
  return useNightChange(watchlistId, async (startsAt: string) =>
    call(NIGHT_ENDPOINTS.fixNightTime, { params: { nightId }, body: { startsAt } }),
  )
}

/** Answers one of the times of a night. `waiting` is an answer that is not sent yet. */
export function useAnswer({ watchlistId, id: nightId }: Night, time: NightTime) {
  const { startsAt } = time
  const waiting = useWaiting(nightId).findLast(({ action }) => action.kind === 'answer' && action.startsAt === startsAt)
  const change = useNightChange(watchlistId, async (answer: NightAnswer) =>
    perform(
      { kind: 'answer', watchlistId, nightId, startsAt, answer },
      { idempotencyKey: newIdempotencyKey(), title: localMomentText(time) },
    ),
  )
  const kept = waiting?.action.kind === 'answer' && waiting.state !== 'refused' ? waiting.action.answer : undefined
  // The choice shows before the server has answered.
  return { ...change, waiting, shown: change.isPending ? change.variables : kept }
}

/** When the user's calendar address was made; null if there is none. */
export const calendarSince = (watchlistId: string) =>
  queryOptions({
    queryKey: nightKeys.calendar(watchlistId),
    queryFn: async ({ signal }) =>
      (await call(NIGHT_ENDPOINTS.findCalendar, { params: { watchlistId }, signal })).since,
  })

/** Makes a new calendar address, or makes the current one void. Returns the address. */
export function useCalendar(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (step: 'make' | 'stop') => {
      if (step === 'make') return (await call(NIGHT_ENDPOINTS.makeCalendar, { params: { watchlistId } })).url
      await call(NIGHT_ENDPOINTS.endCalendar, { params: { watchlistId } })
      return undefined
    },
    onSettled: () => void client.invalidateQueries({ queryKey: nightKeys.calendar(watchlistId) }),
  })
}
