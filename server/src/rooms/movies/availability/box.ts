import type { AnyDb } from '@marquee/platform/database/database'

import { listServices } from '../../club/people/service.ts'
import { findCountry } from '../../club/watchlists/service.ts'
import type { WatchProviderOptions } from '../catalogue/service.ts'
import { type ComparedMovie, findCopies, type MediaServerOptions } from '../media-servers/service.ts'
import { listBoxOffers } from './box-offer-store.ts'

/** What the operator has switched on. */
export type WatchOptions = {
  readonly watchProviders?: WatchProviderOptions | undefined
  readonly mediaServers?: MediaServerOptions | undefined
}

export function isAvailabilityOn({ watchProviders, mediaServers }: WatchOptions): boolean {
  return watchProviders !== undefined || mediaServers !== undefined
}

/**
 * Which cards of the box are on a media server of the watchlist, or on a service of one of the people, as far as it is known.
 * Nothing is asked. It tells about secret cards, so only a draw may use it.
 */
export async function findWatchable(
  db: AnyDb,
  { watchProviders, mediaServers }: WatchOptions,
  watchlistId: string,
  { cards, people }: { cards: readonly ComparedMovie[]; people: readonly { readonly userId: string }[] },
): Promise<ReadonlySet<string>> {
  const copies = mediaServers ? await findCopies(db, watchlistId, cards) : new Map<string, unknown>()
  if (!watchProviders) return new Set(copies.keys())
  const country = await findCountry(db, watchlistId)
  const services = await listServices(
    db,
    people.map(({ userId }) => userId),
  )
  const offers = await listBoxOffers(db, watchlistId)
  const chosen = new Set([...services.values()].flat())
  const idOf = new Map(cards.map(({ cardId, movie }) => [cardId, movie?.ids.tmdb]))
  const streamed = offers.filter(
    (row) =>
      row.country === country &&
      row.tmdb_id === idOf.get(row.card_id) &&
      (JSON.parse(row.services) as number[]).some((serviceId) => chosen.has(serviceId)),
  )
  return new Set([...copies.keys(), ...streamed.map(({ card_id: cardId }) => cardId)])
}
