import type { BodyInput } from '@marquee/contract/endpoints'
import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { DRAW_ENDPOINTS } from '@marquee/contract/endpoints/draws'
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call, PAGED } from '#web/api/call.ts'
import { useReadAgain } from '#web/api/read-again.ts'

const drawsKey = (watchlistId: string) => ['draws', watchlistId] as const

export const drawOdds = (watchlistId: string) =>
  queryOptions({
    queryKey: [...drawsKey(watchlistId), 'odds'] as const,
    queryFn: async ({ signal }) => call(DRAW_ENDPOINTS.getDrawOdds, { params: { watchlistId }, signal }),
  })

export const drawLog = (watchlistId: string) =>
  infiniteQueryOptions({
    queryKey: [...drawsKey(watchlistId), 'log'] as const,
    queryFn: async ({ pageParam, signal }) =>
      call(DRAW_ENDPOINTS.listDraws, { params: { watchlistId }, query: { nextToken: pageParam }, signal }),
    ...PAGED,
  })

export const drawReceipt = (watchlistId: string, drawNumber: number) =>
  queryOptions({
    queryKey: [...drawsKey(watchlistId), drawNumber] as const,
    queryFn: async ({ signal }) => call(DRAW_ENDPOINTS.getDraw, { params: { watchlistId, drawNumber }, signal }),
  })

/** The title of a card; null if it is in the box again or was deleted. */
export const drawnTitle = (watchlistId: string, cardId: string) =>
  queryOptions({
    queryKey: [...drawsKey(watchlistId), 'title', cardId] as const,
    queryFn: async ({ signal }) =>
      (await call(CARD_ENDPOINTS.getCard, { params: { watchlistId, cardId }, signal })).title,
    retry: false,
  })

/** Besides what happens to cards. The odds name the members. */
const TOUCHES_DRAWS: ReadonlySet<string> = new Set(['box-changed', 'draws-changed', 'members-changed'])

/** Reads what is shown of the draws again after each change. */
export function useLiveDraws(watchlistId: string): void {
  useReadAgain(watchlistId, drawsKey(watchlistId), (kind) => TOUCHES_DRAWS.has(kind) || kind.startsWith('card-'))
}

/** Sets the rule of a watchlist. */
export function useSetDrawRule(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInput<typeof DRAW_ENDPOINTS.setDrawRule>) =>
      call(DRAW_ENDPOINTS.setDrawRule, { params: { watchlistId }, body }),
    onSuccess: (odds) => client.setQueryData(drawOdds(watchlistId).queryKey, odds),
  })
}
