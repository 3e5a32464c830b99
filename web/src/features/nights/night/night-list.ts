import { NIGHT_ENDPOINTS } from '@marquee/contract/endpoints/nights'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

/** The open night and the planned ones, soonest first, and the movies of nights that the user has not rated. */
export const nightList = (watchlistId: string) =>
  queryOptions({
    queryKey: ['nights', watchlistId],
    queryFn: async ({ signal }) => call(NIGHT_ENDPOINTS.listNights, { params: { watchlistId }, signal }),
  })

/** What the places of a watchlist show of its nights: the open one, or else the next. Only members have them. */
export function useNextNight(watchlistId: string, isMember: boolean) {
  const { data } = useQuery({ ...nightList(watchlistId), enabled: isMember })
  const nights = data?.nights ?? []
  const open = nights.find(({ state }) => state === 'open')
  return {
    night: open ?? nights.find(({ state }) => state === 'planned'),
    /** Undefined as long as the nights are not known. */
    openId: data && (open?.id ?? null),
    unrated: data?.unrated ?? [],
  }
}
