import type { Handlers } from '../../club/people/service.ts'
import {
  changeMediaServer,
  connectMediaServer,
  deleteMediaServer,
  listMediaServers,
  type MediaServerPorts,
  readMediaServer,
} from './service.ts'

/** The media servers of a watchlist. All calls answer 404 while they are switched off. */
export function mediaServerHandlers(ports: MediaServerPorts) {
  return {
    listMediaServers: async ({ user, params }) => ({
      servers: await listMediaServers(ports, user, params.watchlistId),
    }),
    connectMediaServer: async ({ user, params, body }) =>
      await connectMediaServer(ports, user, params.watchlistId, body),
    changeMediaServer: async ({ user, params, body }) => await changeMediaServer(ports, user, params, body),
    deleteMediaServer: async ({ user, params }) => await deleteMediaServer(ports, user, params),
    readMediaServer: async ({ user, params }) => await readMediaServer(ports, user, params),
  } satisfies Partial<Handlers>
}
