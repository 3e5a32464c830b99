import { repeatable } from '@marquee/platform/idempotency/repeatable'

import type { Handlers } from '../../club/people/service.ts'
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
export function importHandlers(ports: ImportPorts & Pick<BeginPorts, 'parser'>) {
  return {
    beginImport: repeatable(ports, {
      authorize: authorizeReplay('card.import'),
      handle: async (once, { user, params, body }) =>
        await beginImport({ ...once, slices: ports.database }, user, params.watchlistId, body),
    }),
    listImports: async ({ user, params }) => {
      await authorizeRead(ports.database.read, user, 'card.import', params.watchlistId)
      return await listImports(ports, user, params.watchlistId)
    },
    getImport: async ({ user, params, query }) => await getImport(ports, user, params, query),
    chooseImportRows: async ({ user, params, body }) => await chooseImportRows(ports, user, params, body),
    applyImport: async ({ user, params }) => await applyImport(ports, user, params),
    cancelImport: async ({ user, params }) => await cancelImport(ports, user, params),
    undoImport: async ({ user, params }) => await undoImport(ports, user, params),
  } satisfies Partial<Handlers>
}
