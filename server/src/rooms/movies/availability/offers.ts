import type { Availability } from '@marquee/contract/entities/availability'
import type { StreamingService } from '@marquee/contract/entities/streaming-service'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import { listServices as listServicesOf, type User } from '../../club/people/service.ts'
import { findCountry, requireCountry } from '../../club/watchlists/service.ts'
import { type ClientPorts, type Offers, openWatchProviders, type WatchProviderOptions } from '../catalogue/service.ts'
import type { ComparedMovie } from '../media-servers/service.ts'
import { type AnswerPorts, type Budget, createAnswers } from './answers.ts'

/** A filter asks about at most this many movies, so that it answers soon; the next call asks about the others. */
const MAX_ASKED_BY_FILTER = 100

export type Person = Pick<User, 'userId' | 'username'>

export type OfferPorts = AnswerPorts &
  ClientPorts & {
    /** Missing if the operator has not switched it on. */
    readonly watchProviders?: WatchProviderOptions | undefined
  }

type Asked = { readonly viewerId?: string; readonly people: readonly Person[] }
type Offer = Omit<Availability, 'cardId' | 'servers' | 'request'>

/** What streaming services offer of cards of the feed. */
export type OffersOf = {
  /** By the id of the card, without those that no service offers. */
  readonly ofCards: (
    watchlistId: string,
    cards: readonly ComparedMovie[],
    asked: Asked,
  ) => Promise<ReadonlyMap<string, Offer>>
  /**
   * Finds cards on a service that the user has chosen, and those about which it has not asked, because one call asks about
   * few. Undefined if no card can be on one.
   */
  readonly chosenBy: (
    db: AnyDb,
    watchlistId: string,
    userId: string,
  ) => Promise<
    | ((
        cards: readonly ComparedMovie[],
      ) => Promise<{ readonly chosen: ReadonlySet<string>; readonly unasked: ReadonlySet<string> }>)
    | undefined
  >
  /** @throws {Problem} NOT_FOUND while it is switched off. */
  readonly servicesIn: (country: string) => Promise<StreamingService[]>
}

export function createOffers({ watchProviders, ...ports }: OfferPorts): OffersOf {
  if (!watchProviders) return OFF
  const answers = createAnswers(openWatchProviders(watchProviders, ports), ports)
  const { read } = ports.database
  return {
    ofCards: async (watchlistId, cards, { viewerId, people }) => {
      const country = await findCountry(read, watchlistId)
      if (country === undefined) return new Map()
      const known = cards.flatMap(withTmdbId)
      const found = await answers.offersOf(
        country,
        known.map(({ tmdbId }) => tmdbId),
      )
      const ids = [...(viewerId === undefined ? [] : [viewerId]), ...people.map(({ userId }) => userId)]
      const services = await listServicesOf(read, ids)
      const own = new Set(viewerId === undefined ? [] : services.get(viewerId))
      return new Map(
        known.flatMap(({ cardId, tmdbId }) => {
          const offers = found.get(tmdbId)
          if (!offers || offers.streaming.length + offers.paid.length === 0) return []
          return [[cardId, { ...present(offers, own), havers: haversOf(offers, people, services) }]]
        }),
      )
    },

    chosenBy: async (db, watchlistId, userId) => {
      const [country, services] = await together(findCountry(db, watchlistId), listServicesOf(db, [userId]))
      const own = new Set(services.get(userId))
      if (country === undefined || own.size === 0) return undefined
      const budget: Budget = { left: MAX_ASKED_BY_FILTER, unasked: new Set() }
      return async (cards) => {
        const known = cards.flatMap(withTmdbId)
        const ids = known.map(({ tmdbId }) => tmdbId)
        const found = await answers.offersOf(country, ids, budget)
        const isOnOwn = ({ tmdbId }: { tmdbId: string }) =>
          found.get(tmdbId)?.streaming.some(({ serviceId }) => own.has(serviceId)) === true
        const idsOf = (those: typeof known) => new Set(those.map(({ cardId }) => cardId))
        return {
          chosen: idsOf(known.filter(isOnOwn)),
          unasked: idsOf(known.filter(({ tmdbId }) => budget.unasked.has(tmdbId))),
        }
      }
    },

    servicesIn: async (country) => {
      requireCountry(country)
      return await answers.servicesOf(country)
    },
  }
}

function withTmdbId({ cardId, movie }: ComparedMovie): { cardId: string; tmdbId: string }[] {
  const tmdbId = movie?.ids.tmdb
  return tmdbId === undefined ? [] : [{ cardId, tmdbId }]
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

const OFF: OffersOf = {
  ofCards: async () => await Promise.resolve(new Map()),
  chosenBy: async () => await Promise.resolve(undefined),
  servicesIn: async () => {
    await Promise.resolve()
    throw new Problem('NOT_FOUND')
  },
}
