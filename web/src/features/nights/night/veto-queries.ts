import { VOTE_ENDPOINTS } from '@marquee/contract/endpoints/votes'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { useReadAgain } from '#web/api/read-again.ts'

import { NIGHT_VOTES } from './vote-queries.ts'

/** How many vetoes each member has per month. */
export const vetoBudget = (watchlistId: string) =>
  queryOptions({
    queryKey: ['veto-budget', watchlistId],
    queryFn: async ({ signal }) =>
      (await call(VOTE_ENDPOINTS.getVetoBudget, { params: { watchlistId }, signal })).vetoBudget,
  })

/** Reads the number again when the owner changes it, and after a lost connection. */
export function useLiveVetoBudget(watchlistId: string): void {
  useReadAgain(watchlistId, vetoBudget(watchlistId).queryKey, (kind) => kind === 'nights-changed')
}

/** Also reads the vote again, which shows how many vetoes are left. */
export function useSetVetoBudget(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (count: number) =>
      call(VOTE_ENDPOINTS.setVetoBudget, { params: { watchlistId }, body: { vetoBudget: count } }),
    onSettled: async () =>
      Promise.all([
        client.invalidateQueries({ queryKey: vetoBudget(watchlistId).queryKey }),
        client.invalidateQueries({ queryKey: NIGHT_VOTES }),
      ]),
  })
}
