import { STATISTICS_ENDPOINTS } from '@marquee/contract/endpoints/statistics'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { useReadAgain } from '#web/api/read-again.ts'

import type { Days } from './period.ts'

const statisticsKey = (watchlistId: string) => ['statistics', watchlistId] as const

/** What was watched in these days, which begin at midnight here. While others are read, the last ones stay. */
export const statisticsOf = (watchlistId: string, days: Days) =>
  queryOptions({
    queryKey: [...statisticsKey(watchlistId), days] as const,
    queryFn: async ({ signal }) =>
      call(STATISTICS_ENDPOINTS.getStatistics, {
        params: { watchlistId },
        query: { ...days, timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** Reads the statistics again when a card, a member or a movie night changes. */
export function useLiveStatistics(watchlistId: string): void {
  useReadAgain(
    watchlistId,
    statisticsKey(watchlistId),
    (kind) => kind.startsWith('card-') || ['viewings-changed', 'members-changed', 'nights-changed'].includes(kind),
  )
}
