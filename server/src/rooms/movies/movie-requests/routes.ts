import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal } from '../../club/people/service.ts'
import {
  askForMovie,
  changeRequestServer,
  connectRequestServer,
  deleteRequestServer,
  getRequestServer,
  type MovieRequestPorts,
} from './service.ts'

/** Asking for movies. All calls answer 404 while media servers are switched off. */
export function movieRequestRoutes(route: Route<Principal>, ports: MovieRequestPorts): void {
  route(ENDPOINTS.getRequestServer, async ({ user, params }) => ({
    server: await getRequestServer(ports, user, params.watchlistId),
  }))

  route(
    ENDPOINTS.connectRequestServer,
    async ({ user, params, body }) => await connectRequestServer(ports, user, params.watchlistId, body),
  )

  route(
    ENDPOINTS.changeRequestServer,
    async ({ user, params, body }) => await changeRequestServer(ports, user, params.watchlistId, body),
  )

  route(ENDPOINTS.deleteRequestServer, async ({ user, params }) => {
    await deleteRequestServer(ports, user, params.watchlistId)
  })

  route(ENDPOINTS.askForMovie, async ({ user, params }) => await askForMovie(ports, user, params))
}
