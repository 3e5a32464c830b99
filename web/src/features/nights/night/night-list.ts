import { ENDPOINTS } from '@marquee/contract/endpoints'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

/** The open night and the planned ones, soonest first, and the movies of nights that the user has not rated. */
export const nightList = (watchlistId: string) =>
  queryOptions({
    queryKey: ['nights', watchlistId],
    queryFn: async ({ signal }) => call(ENDPOINTS.listNights, { params: { watchlistId }, signal }),
  })

/** What the page of a watchlist shows of its nights. Only members have them. */
export function useNightNews(watchlistId: string, isMember: boolean) {
  const { data } = useQuery({ ...nightList(watchlistId), enabled: isMember })
  return {
    isNightOpen: data?.nights.some(({ state }) => state === 'open') ?? false,
    unrated: data?.unrated ?? [],
  }
}
