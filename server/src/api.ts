import type { FastifyInstance } from 'fastify'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { acceptOnlyJson } from '@marquee/platform/http/json-bodies'
import { routesOn } from '@marquee/platform/http/mount'
import { refuseOtherMethods } from '@marquee/platform/http/other-methods'

import { authenticateBy } from './authenticate.ts'
import { cardRoutes } from './modules/cards/routes.ts'
import type { CardPorts } from './modules/cards/service.ts'
import { watchlistRoutes } from './modules/watchlists/routes.ts'
import type { Accounts } from './ports.ts'
import { problemFor } from './problem-replies.ts'

/** The product API (spec section 7): every call of the contract, and nothing else. */
export function apiRoutes(app: FastifyInstance, ports: CardPorts & { accounts: Accounts }): void {
  acceptOnlyJson(app)
  // What one person may see is kept by nobody in between; pages with a version say otherwise themselves.
  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })
  const route = routesOn(app, authenticateBy(ports.accounts))
  watchlistRoutes(route, ports)
  cardRoutes(route, ports)
  refuseOtherMethods(app, Object.values(ENDPOINTS), problemFor(405))
}
