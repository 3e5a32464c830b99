import pLimit from 'p-limit'

import { Problem } from '@marquee/contract/problems'
import { createSeats } from '@marquee/platform/limits/seats'

import type { CardPorts } from '../../movies/cards/service.ts'
import type { Handlers } from '../../club/people/service.ts'
import { authorizeRead } from '../../club/watchlists/service.ts'
import { getStatistics } from './service.ts'

/** Statistics that are counted or wait at once. One reads a whole watchlist. */
const AT_ONCE = { total: 20, perOwner: 4 }

export function statisticsHandlers(ports: CardPorts) {
  const seats = createSeats(AT_ONCE)
  const inTurn = pLimit(1)

  return {
    getStatistics: async ({ user, params, query }) => {
      const access = await authorizeRead(ports.database.read, user, 'statistics.read', params.watchlistId)
      const leave = seats.take(user.userId)
      if (!leave) throw new Problem('SERVICE_UNAVAILABLE')
      try {
        return await inTurn(async () => await getStatistics(ports, user, access, query))
      } finally {
        leave()
      }
    },
  } satisfies Partial<Handlers>
}
