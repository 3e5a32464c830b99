import { NIGHT_ENDPOINTS } from '@marquee/contract/endpoints/nights'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { isAnsweredSince, momentBefore } from '#web/api/read-times.ts'

/** After so long without a read, a night may have begun. */
const LATELY_MS = 5 * 60_000

/** The open night and the planned ones, soonest first, and the movies of nights that the user has not rated. */
export const nightList = (watchlistId: string) =>
  queryOptions({
    queryKey: ['nights', watchlistId],
    queryFn: async ({ signal }) => call(NIGHT_ENDPOINTS.listNights, { params: { watchlistId }, signal }),
  })

/** Whether the server has answered lately. What this device has kept for days is no answer of the server. */
function isReadLately(client: QueryClient, watchlistId: string): boolean {
  const query = client.getQueryCache().find({ queryKey: nightList(watchlistId).queryKey })
  return query !== undefined && isAnsweredSince(query, momentBefore(LATELY_MS))
}

/** What the places of a watchlist show of its nights: the open one, or else the next. Only members have them. */
export function useNextNight(watchlistId: string, isMember: boolean) {
  const client = useQueryClient()
  const { data } = useQuery({ ...nightList(watchlistId), enabled: isMember })
  const nights = data?.nights ?? []
  const open = nights.find(({ state }) => state === 'open')
  return {
    night: open ?? nights.find(({ state }) => state === 'planned'),
    /** The open night that the user sees, or null if none is open. Undefined if the nights were not read lately. */
    getOpenId: () => open?.id ?? (data && isReadLately(client, watchlistId) ? null : undefined),
    unrated: data?.unrated ?? [],
  }
}
