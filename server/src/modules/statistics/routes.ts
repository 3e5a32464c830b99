import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { CardPorts } from '../cards/service.ts'
import type { User } from '../profiles/service.ts'
import { authorizeRead } from '../watchlists/service.ts'
import { getStatistics } from './service.ts'

export function statisticsRoutes(route: Route<User>, ports: CardPorts): void {
  route(ENDPOINTS.getStatistics, async ({ user, params, query }) => {
    const access = await authorizeRead(ports.database.read, user, 'statistics.read', params.watchlistId)
    return await getStatistics(ports, user, access, query)
  })
}
