import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Handlers } from '../../club/people/service.ts'
import { authorizeRead, authorizeReplay } from '../../club/watchlists/service.ts'
import { deleteViewing, listViewings, saveViewing, type ViewingPorts } from './service.ts'

export function viewingHandlers(ports: ViewingPorts) {
  return {
    listViewings: async ({ user, params, query }) => {
      const { watchlistId } = await authorizeRead(ports.database.read, user, 'viewing.read', params.watchlistId)
      return await listViewings(ports, user, watchlistId, query.cards)
    },
    saveViewing: repeatable(ports, {
      authorize: authorizeReplay('viewing.change'),
      handle: async (once, { user, params, body }) => await saveViewing(once, user, params, body),
    }),
    deleteViewing: async ({ user, params }) => await deleteViewing(ports, user, params),
  } satisfies Partial<Handlers>
}
