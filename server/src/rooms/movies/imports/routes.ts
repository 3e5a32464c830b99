import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'
import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Principal } from '../../club/people/service.ts'
import { authorizeRead, authorizeReplay } from '../../club/watchlists/service.ts'
import {
  applyImport,
  beginImport,
  type BeginPorts,
  cancelImport,
  chooseImportRows,
  getImport,
  type ImportPorts,
  listImports,
  undoImport,
} from './service.ts'

/** The calls under `/watchlists/{id}/imports`. */
export function importRoutes(route: Route<Principal>, ports: ImportPorts & Pick<BeginPorts, 'parser'>): void {
  route(
    ENDPOINTS.beginImport,
    repeatable(ports, {
      authorize: authorizeReplay('card.import'),
      handle: async (once, { user, params, body }) =>
        await beginImport({ ...once, slices: ports.database }, user, params.watchlistId, body),
    }),
  )

  route(ENDPOINTS.listImports, async ({ user, params }) => {
    await authorizeRead(ports.database.read, user, 'card.import', params.watchlistId)
    return await listImports(ports, user, params.watchlistId)
  })

  route(ENDPOINTS.getImport, async ({ user, params, query }) => await getImport(ports, user, params, query))

  route(ENDPOINTS.chooseImportRows, async ({ user, params, body }) => await chooseImportRows(ports, user, params, body))

  route(ENDPOINTS.applyImport, async ({ user, params }) => await applyImport(ports, user, params))

  route(ENDPOINTS.cancelImport, async ({ user, params }) => await cancelImport(ports, user, params))

  route(ENDPOINTS.undoImport, async ({ user, params }) => await undoImport(ports, user, params))
}
