import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal } from '../../club/people/service.ts'
import {
  changeMediaServer,
  connectMediaServer,
  deleteMediaServer,
  listMediaServers,
  type MediaServerPorts,
  readMediaServer,
} from './service.ts'

/** The media servers of a watchlist. All calls answer 404 while they are switched off. */
export function mediaServerRoutes(route: Route<Principal>, ports: MediaServerPorts): void {
  route(ENDPOINTS.listMediaServers, async ({ user, params }) => ({
    servers: await listMediaServers(ports, user, params.watchlistId),
  }))

  route(
    ENDPOINTS.connectMediaServer,
    async ({ user, params, body }) => await connectMediaServer(ports, user, params.watchlistId, body),
  )

  route(
    ENDPOINTS.changeMediaServer,
    async ({ user, params, body }) => await changeMediaServer(ports, user, params, body),
  )

  route(ENDPOINTS.deleteMediaServer, async ({ user, params }) => {
    await deleteMediaServer(ports, user, params)
  })

  route(ENDPOINTS.readMediaServer, async ({ user, params }) => await readMediaServer(ports, user, params))
}
