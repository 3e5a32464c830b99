import { MEDIA_SERVER_ENDPOINTS } from '@marquee/contract/endpoints/media-servers'
import { queryOptions } from '@tanstack/react-query'

import { call, send } from '#web/api/call.ts'
import { useChange } from '#web/api/read-again.ts'

const LOOK_AGAIN_MS = 2_000

/** The media servers of a watchlist. They are read again while the list of one is being read. */
export const mediaServers = (watchlistId: string) =>
  queryOptions({
    queryKey: ['media-servers', watchlistId],
    queryFn: async ({ signal }) =>
      (await call(MEDIA_SERVER_ENDPOINTS.listMediaServers, { params: { watchlistId }, signal })).servers,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'waiting' || state === 'reading') === true ? LOOK_AGAIN_MS : false,
  })

/** A change of the media servers. They are read again afterwards, and so is where movies can be watched. */
function useServerChange<Input, Output>(watchlistId: string, change: (input: Input) => Promise<Output>) {
  // The library has a filter for what can be watched.
  const library = ['library', watchlistId, 'pages']
  return useChange(change, mediaServers(watchlistId).queryKey, ['availability'], library)
}

export function useConnectServer(watchlistId: string) {
  return useServerChange(watchlistId, send(MEDIA_SERVER_ENDPOINTS.connectMediaServer, { watchlistId }))
}

type ServerParams = { watchlistId: string; serverId: string }

export function useChangeServer(params: ServerParams) {
  return useServerChange(params.watchlistId, send(MEDIA_SERVER_ENDPOINTS.changeMediaServer, params))
}

export function useReadServer(params: ServerParams) {
  return useServerChange(params.watchlistId, send(MEDIA_SERVER_ENDPOINTS.readMediaServer, params))
}

export function useDisconnectServer(params: ServerParams) {
  return useServerChange(params.watchlistId, send(MEDIA_SERVER_ENDPOINTS.deleteMediaServer, params))
}
