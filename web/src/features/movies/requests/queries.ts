import { MOVIE_REQUEST_ENDPOINTS } from '@marquee/contract/endpoints/movie-requests'
import { queryOptions } from '@tanstack/react-query'

import { call, send } from '#web/api/call.ts'
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
  return useServerChange(watchlistId, send(MOVIE_REQUEST_ENDPOINTS.connectRequestServer, { watchlistId }))
}

export function useChangeRequests(watchlistId: string) {
  return useServerChange(watchlistId, send(MOVIE_REQUEST_ENDPOINTS.changeRequestServer, { watchlistId }))
}

export function useDisconnectRequests(watchlistId: string) {
  return useServerChange(watchlistId, send(MOVIE_REQUEST_ENDPOINTS.deleteRequestServer, { watchlistId }))
}
