import type { Availability } from '@marquee/contract/entities/availability'
import { askTogether, together } from '@marquee/platform/database/statement-runner'

import type { Principal } from '../../../club/people/service.ts'
import type { AvailabilityOf } from '../../../movies/availability/service.ts'
import type { CardPorts } from '../../../movies/cards/service.ts'
import { requireNight } from '../night/change.ts'
import { authorizeNightRead } from '../night/passes.ts'
import { nightKeyOf, stateOf } from '../night/present.ts'
import { readEvening, tonightOf } from './read-vote.ts'
import { listPeople } from '../night/store.ts'

/** Guests learn nothing of the network of a home. A screen has no browser that could open a link. */
const SERVERS_FOR = { nightGuest: 'none', screen: 'named' } as const

/** Where the movies drawn tonight can be watched, and who of those who are there has them. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function listNightAvailability(
  { database, clock, availability }: Pick<CardPorts, 'database' | 'clock'> & { readonly availability: AvailabilityOf },
  user: Principal,
  nightId: string,
): Promise<Availability[]> {
  const key = nightKeyOf(nightId)
  const now = clock.now().toISOString()
  const [{ isOwner }, row, evening, people] = await askTogether(
    database.read,
    async (db) =>
      await together(
        authorizeNightRead(db, user, 'night.follow', key),
        requireNight(db, key),
        readEvening(db, key),
        listPeople(db, key),
      ),
  )
  const { revealed, accepted } = tonightOf(evening, { row, now })
  return await availability.ofCards({
    watchlistId: key.watchlistId,
    cardIds: [...revealed, ...accepted].map(({ id }) => id),
    people: stateOf(row, now) === 'open' ? people : [],
    servers: user.pass === undefined ? 'linked' : SERVERS_FOR[user.pass.role],
    ...(user.pass === undefined && { member: { isOwner } }),
  })
}
