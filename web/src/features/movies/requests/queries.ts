import type { BodyInput } from '@marquee/contract/endpoints'
import { MOVIE_REQUEST_ENDPOINTS } from '@marquee/contract/endpoints/movie-requests'
import { queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { useChange } from '#web/api/read-again.ts'

/** The server that a watchlist asks for movies; null if there is none. */
export const requestServer = (watchlistId: string) =>
  queryOptions({
    queryKey: ['request-server', watchlistId],
    queryFn: async ({ signal }) =>
      (await call(MOVIE_REQUEST_ENDPOINTS.getRequestServer, { params: { watchlistId }, signal })).server,
  })

/** A change of the server. It is read again afterwards, and so is which movies can be asked for. */
function useServerChange<Input, Output>(watchlistId: string, change: (input: Input) => Promise<Output>) {
  return useChange(change, requestServer(watchlistId).queryKey, ['availability'])
}

export function useConnectRequests(watchlistId: string) {
  return useServerChange(
    watchlistId,
    async (body: BodyInput<typeof MOVIE_REQUEST_ENDPOINTS.connectRequestServer>) =>
      await call(MOVIE_REQUEST_ENDPOINTS.connectRequestServer, { params: { watchlistId }, body }),
  )
}

export function useChangeRequests(watchlistId: string) {
  return useServerChange(
    watchlistId,
    async (body: BodyInput<typeof MOVIE_REQUEST_ENDPOINTS.changeRequestServer>) =>
      await call(MOVIE_REQUEST_ENDPOINTS.changeRequestServer, { params: { watchlistId }, body }),
  )
}

export function useDisconnectRequests(watchlistId: string) {
  return useServerChange<void, void>(watchlistId, async () => {
    await call(MOVIE_REQUEST_ENDPOINTS.deleteRequestServer, { params: { watchlistId } })
  })
}
