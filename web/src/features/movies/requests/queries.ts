import { type BodyInput, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Availability } from '@marquee/contract/entities/availability'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

/** The server that a watchlist asks for movies; null if there is none. */
export const requestServer = (watchlistId: string) =>
  queryOptions({
    queryKey: ['request-server', watchlistId],
    queryFn: async ({ signal }) => (await call(ENDPOINTS.getRequestServer, { params: { watchlistId }, signal })).server,
  })

/** A change of the server. It is read again afterwards, and so is which movies can be asked for. */
function useServerChange<Input, Output>(watchlistId: string, change: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: async () => {
      void client.invalidateQueries({ queryKey: ['availability'] })
      await client.invalidateQueries(requestServer(watchlistId))
    },
  })
}

export function useConnectRequests(watchlistId: string) {
  return useServerChange(
    watchlistId,
    async (body: BodyInput<typeof ENDPOINTS.connectRequestServer>) =>
      await call(ENDPOINTS.connectRequestServer, { params: { watchlistId }, body }),
  )
}

export function useChangeRequests(watchlistId: string) {
  return useServerChange(
    watchlistId,
    async (body: BodyInput<typeof ENDPOINTS.changeRequestServer>) =>
      await call(ENDPOINTS.changeRequestServer, { params: { watchlistId }, body }),
  )
}

export function useDisconnectRequests(watchlistId: string) {
  return useServerChange<void, void>(watchlistId, async () => {
    await call(ENDPOINTS.deleteRequestServer, { params: { watchlistId } })
  })
}

/** Asks for the movie of a card. All places that show the card then say so. */
export function useAskForMovie({ watchlistId, cardId }: { watchlistId: string; cardId: string }) {
  const client = useQueryClient()
  const mutationKey = ['ask-for-movie', watchlistId, cardId]
  const ask = useMutation({
    mutationKey,
    mutationFn: async () => call(ENDPOINTS.askForMovie, { params: { watchlistId, cardId } }),
    onSuccess: ({ state }) => {
      client.setQueriesData<Availability | null>({ queryKey: ['availability'] }, (known) =>
        known?.cardId === cardId ? { ...known, request: state } : known,
      )
    },
  })
  return {
    ...ask,
    // A second click may come before the button is disabled.
    mutate: (options?: Parameters<typeof ask.mutate>[1]) => {
      if (client.isMutating({ mutationKey }) === 0) ask.mutate(undefined, options)
    },
  }
}
