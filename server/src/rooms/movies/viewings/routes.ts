import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal } from '../../club/people/service.ts'
import { authorizeRead } from '../../club/watchlists/service.ts'
import { deleteViewing, listViewings, saveViewing, type ViewingPorts } from './service.ts'

export function viewingRoutes(route: Route<Principal>, ports: ViewingPorts): void {
  route(ENDPOINTS.listViewings, async ({ user, params, query }) => {
    const { watchlistId } = await authorizeRead(ports.database.read, user, 'viewing.read', params.watchlistId)
    return await listViewings(ports, user, watchlistId, query.cards)
  })

  route(ENDPOINTS.saveViewing, async ({ user, params, body }) => await saveViewing(ports, user, params, body))

  route(ENDPOINTS.deleteViewing, async ({ user, params }) => {
    await deleteViewing(ports, user, params)
  })
}
