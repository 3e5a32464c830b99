import type { Availability, StreamingService } from '@marquee/contract/entities/availability'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { listServices as listServicesOf, type User } from '../../club/people/service.ts'
import { findCountry, requireCountry } from '../../club/watchlists/service.ts'
import { type ClientPorts, type Offers, openWatchProviders, type WatchProviderOptions } from '../catalogue/service.ts'
import { type AnswerPorts, createAnswers } from './answers.ts'

export { sweepAnswers } from './answers.ts'

/** A filter asks about so many movies at most, so that it answers soon; the next call asks about the others. */
const MAX_ASKED_BY_FILTER = 100
/** Reading more would hold up other requests. */
const MAX_FILTERED = 5_000

type TmdbId = { readonly cardId: string; readonly tmdbId: string }
type Person = Pick<User, 'userId' | 'username'>

export type AvailabilityPorts = AnswerPorts &
  ClientPorts & {
    /** Missing if the operator has not switched it on. */
    readonly watchProviders?: WatchProviderOptions | undefined
    /** The ids at The Movie Database of cards of the feed. Cards in the box are never read. */
    readonly cards: {
      readonly findTmdbIds: (db: AnyDb, watchlistId: string, cardIds: readonly string[]) => Promise<readonly TmdbId[]>
      /** Of those that changed last. */
      readonly listTmdbIds: (db: AnyDb, watchlistId: string, limit: number) => Promise<readonly TmdbId[]>
    }
  }

type Asked = {
  readonly watchlistId: string
  readonly cardIds: readonly string[]
  /** Whose services come first in a list. */
  readonly viewerId?: string
  /** Who is at the open night. */
  readonly people: readonly Person[]
}

/**
 * Where movies can be watched. Only cards of the feed are ever asked about, so that nothing that is stored, sent or answered
 * depends on a card in the box. Each function throws a `Problem` NOT_FOUND while it is switched off.
 */
export type AvailabilityOf = {
  readonly ofCards: (asked: Asked) => Promise<Availability[]>
  /** The cards of the feed on a service that the user has chosen. */
  readonly listWatchable: (watchlistId: string, userId: string) => Promise<string[]>
  readonly servicesIn: (country: string) => Promise<StreamingService[]>
}

export function createAvailability({ watchProviders, cards: ofFeed, ...ports }: AvailabilityPorts): AvailabilityOf {
  if (!watchProviders) return OFF
  const answers = createAnswers(openWatchProviders(watchProviders, ports), ports)
  const { read } = ports.database
  return {
    ofCards: async ({ watchlistId, cardIds, viewerId, people }) => {
      const country = await findCountry(read, watchlistId)
      if (country === undefined) return []
      const cards = await ofFeed.findTmdbIds(read, watchlistId, cardIds)
      const found = await answers.offersOf(
        country,
        cards.map(({ tmdbId }) => tmdbId),
      )
      const ids = [...(viewerId === undefined ? [] : [viewerId]), ...people.map(({ userId }) => userId)]
      const services = await listServicesOf(read, ids)
      const own = new Set(viewerId === undefined ? [] : services.get(viewerId))
      return cards.flatMap(({ cardId, tmdbId }) => {
        const offers = found.get(tmdbId)
        if (!offers || offers.streaming.length + offers.paid.length === 0) return []
        return [{ cardId, ...present(offers, own), havers: haversOf(offers, people, services) }]
      })
    },

    listWatchable: async (watchlistId, userId) => {
      const country = await findCountry(read, watchlistId)
      const own = new Set((await listServicesOf(read, [userId])).get(userId))
      if (country === undefined || own.size === 0) return []
      const cards = await ofFeed.listTmdbIds(read, watchlistId, MAX_FILTERED)
      const ids = cards.map(({ tmdbId }) => tmdbId)
      const found = await answers.offersOf(country, ids, MAX_ASKED_BY_FILTER)
      return cards.flatMap(({ cardId, tmdbId }) =>
        found.get(tmdbId)?.streaming.some(({ serviceId }) => own.has(serviceId)) === true ? [cardId] : [],
      )
    },

    servicesIn: async (country) => {
      requireCountry(country)
      return await answers.servicesOf(country)
    },
  }
}

function present({ link, streaming, paid }: Offers, own: ReadonlySet<number>) {
  const rankOf = ({ serviceId }: StreamingService) => (own.has(serviceId) ? 0 : 1)
  return {
    link,
    streaming: streaming.toSorted((one, other) => rankOf(one) - rankOf(other)),
    paid: [...paid],
  }
}

function haversOf(
  { streaming }: Offers,
  people: readonly Person[],
  services: ReadonlyMap<string, readonly number[]>,
): Availability['havers'] {
  return people.flatMap(({ userId, username }) => {
    const own = new Set(services.get(userId))
    const names = streaming.filter(({ serviceId }) => own.has(serviceId)).map(({ name }) => name)
    return names.length === 0 ? [] : [{ username, services: names }]
  })
}

const switchedOff = async (): Promise<never> => {
  throw new Problem('NOT_FOUND')
}

const OFF: AvailabilityOf = { ofCards: switchedOff, listWatchable: switchedOff, servicesIn: switchedOff }
