import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'

import type { Handlers, User } from '../../club/people/service.ts'
import { authorizeRead } from '../../club/watchlists/service.ts'
import type { AvailabilityOf } from './service.ts'

type AvailabilityRoutePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly availability: AvailabilityOf
  readonly nights: {
    findOpen: (
      db: AnyDb,
      watchlistId: string,
      now: string,
    ) => Promise<{ members: readonly Pick<User, 'userId' | 'username'>[] } | undefined>
  }
}

export function availabilityHandlers(ports: AvailabilityRoutePorts) {
  const { availability, nights, clock } = ports
  const { read } = ports.database

  return {
    listAvailability: async ({ user, params, query }) => {
      const { watchlistId, isOwner } = await authorizeRead(read, user, 'availability.read', params.watchlistId)
      const night = await nights.findOpen(read, watchlistId, clock.now().toISOString())
      const people = night?.members ?? []
      const asked = { watchlistId, cardIds: query.cards, viewerId: user.userId, people, member: { isOwner } }
      return { cards: await availability.ofCards({ ...asked, servers: 'linked' }) }
    },
    listServices: async ({ query }) => ({ services: await availability.servicesIn(query.country) }),
  } satisfies Partial<Handlers>
}
