import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call, PAGED, send } from '#web/api/call.ts'
import { changeKey } from '#web/api/own-changes.ts'

import { cardKeys } from './queries.ts'

/** The movies in the box that the user wants besides their own cards, page by page, the last wanted first. */
export const wants = (watchlistId: string) =>
  infiniteQueryOptions({
    queryKey: cardKeys.wants(watchlistId),
    queryFn: async ({ pageParam, signal }) =>
      call(CARD_ENDPOINTS.listWants, {
        params: { watchlistId },
        query: { limit: CARDS_PAGE_SIZE, nextToken: pageParam },
        signal,
      }),
    ...PAGED,
  })

/** Wants a movie that is in the box already. */
export function useWantMovie(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: changeKey(watchlistId),
    mutationFn: send(CARD_ENDPOINTS.wantMovie, { watchlistId }),
    onSuccess: async () => client.invalidateQueries({ queryKey: cardKeys.suggestions(watchlistId) }),
  })
}

export function useUnwantMovie(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: changeKey(watchlistId),
    mutationFn: async (wantId: string) => call(CARD_ENDPOINTS.unwantMovie, { params: { watchlistId, wantId } }),
    onSuccess: async () => client.invalidateQueries({ queryKey: cardKeys.suggestions(watchlistId) }),
  })
}
