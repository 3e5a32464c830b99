import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Principal } from '../../club/people/service.ts'
import { authorizeRead, authorizeReplay } from '../../club/watchlists/service.ts'
import { deleteViewing, listViewings, saveViewing, type ViewingPorts } from './service.ts'

export function viewingRoutes(route: Route<Principal>, ports: ViewingPorts): void {
  route(ENDPOINTS.listViewings, async ({ user, params, query }) => {
    const { watchlistId } = await authorizeRead(ports.database.read, user, 'viewing.read', params.watchlistId)
    return await listViewings(ports, user, watchlistId, query.cards)
  })

  route(
    ENDPOINTS.saveViewing,
    repeatable(ports, {
      authorize: authorizeReplay('viewing.change'),
      handle: async (once, { user, params, body }) => await saveViewing(once, user, params, body),
    }),
  )

  route(ENDPOINTS.deleteViewing, async ({ user, params }) => {
    await deleteViewing(ports, user, params)
  })
}
