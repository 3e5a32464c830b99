import type { Availability } from '@marquee/contract/entities/availability'
import type { StreamingService } from '@marquee/contract/entities/streaming-service'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import {
  type ComparedMovie,
  findCopies,
  findListed,
  type FoundCopy,
  listReadLists,
  type MediaServerOptions,
  presentCopy,
  type ReadList,
} from '../media-servers/service.ts'
import { findRequests } from '../movie-requests/service.ts'
import { createOffers, type OfferPorts, type Person } from './offers.ts'

export { sweepAnswers } from './answers.ts'
export { findWatchable, isAvailabilityOn, type WatchOptions } from './box.ts'

export type AvailabilityPorts = OfferPorts & {
  /** Missing if the operator has not switched them on. */
  readonly mediaServers?: MediaServerOptions | undefined
  /** The movies of cards of the feed. Cards in the box are never read. */
  readonly cards: {
    readonly findFeedMovies: (db: AnyDb, watchlistId: string, cardIds: readonly string[]) => Promise<ComparedMovie[]>
  }
}

type Asked = {
  readonly watchlistId: string
  readonly cardIds: readonly string[]
  /** Whose services come first in a list. */
  readonly viewerId?: string
  /** Who is at the open night. */
  readonly people: readonly Person[]
  /** Whether the caller learns which media servers have a movie, and gets links to it. */
  readonly servers: 'linked' | 'named' | 'none'
  /** A member learns what was asked for, and what they may ask for. */
  readonly member?: { readonly isOwner: boolean }
}

type Watchable = {
  /** The lists of the media servers, if a card can be watched whenever they have one of its ids, and only then. */
  readonly lists: readonly string[] | undefined
  /** Those that may be on a service and are beyond what one call asks about are `unasked`. */
  readonly pick: (
    cards: readonly ComparedMovie[],
  ) => Promise<{ readonly picked: ReadonlySet<string>; readonly unasked: ReadonlySet<string> }>
}

/**
 * Where movies can be watched. Only cards of the feed are ever asked about, so that nothing that is stored, sent or answered
 * depends on a card in the box. Each function throws a `Problem` NOT_FOUND while it is switched off.
 */
export type AvailabilityOf = {
  readonly ofCards: (asked: Asked) => Promise<Availability[]>
  /**
   * Which cards of the feed are on a service that the user has chosen, or on a media server of the watchlist. Undefined if
   * none can be. Its own statements are sent to `db` in one turn.
   */
  readonly watchableBy: (db: AnyDb, watchlistId: string, userId: string) => Promise<Watchable | undefined>
  readonly servicesIn: (country: string) => Promise<StreamingService[]>
}

const NO_REQUESTS: ReadonlyMap<string, Availability['request']> = new Map()
const NO_LISTS = Promise.resolve<readonly ReadList[]>([])
const NONE: ReadonlySet<string> = new Set()
const NO_OFFER = { streaming: [], paid: [], link: null, havers: [] }

export function createAvailability({ cards: ofFeed, mediaServers, ...ports }: AvailabilityPorts): AvailabilityOf {
  if (!ports.watchProviders && !mediaServers) return OFF
  const offers = createOffers(ports)
  const { read } = ports.database
  const copiesOf = async (watchlistId: string, cards: readonly ComparedMovie[]) =>
    mediaServers ? await findCopies(read, watchlistId, cards) : new Map<string, FoundCopy[]>()
  return {
    ofCards: async ({ watchlistId, cardIds, servers, member, ...asked }) => {
      const cards = await ofFeed.findFeedMovies(read, watchlistId, cardIds)
      const offered = await offers.ofCards(watchlistId, cards, asked)
      const copies = await copiesOf(watchlistId, servers === 'none' ? [] : cards)
      const missing = mediaServers && member ? cards.filter(({ cardId }) => !copies.has(cardId)) : []
      const requests =
        missing.length > 0 && member
          ? await findRequests(read, watchlistId, { cards: missing, isOwner: member.isOwner })
          : NO_REQUESTS
      return cards.flatMap(({ cardId }) => {
        const found = copies.get(cardId) ?? []
        const offer = offered.get(cardId)
        const request = requests.get(cardId) ?? null
        if (!offer && found.length === 0 && request === null) return []
        const isLinked = servers === 'linked'
        const onServers = mediaServers ? found.map((copy) => presentCopy(mediaServers, copy, isLinked)) : []
        return [{ cardId, ...(offer ?? NO_OFFER), servers: onServers, request }]
      })
    },

    watchableBy: async (db, watchlistId, userId) => {
      const [findChosen, lists] = await together(
        offers.chosenBy(db, watchlistId, userId),
        mediaServers ? listReadLists(db, watchlistId) : NO_LISTS,
      )
      if (!findChosen && lists.length === 0) return undefined
      const pick: Watchable['pick'] = async (cards) => {
        const listed = lists.length > 0 ? await findListed(read, watchlistId, { lists, cards }) : new Set<string>()
        if (!findChosen) return { picked: listed, unasked: NONE }
        const { chosen, unasked } = await findChosen(cards.filter(({ cardId }) => !listed.has(cardId)))
        return { picked: new Set([...listed, ...chosen]), unasked }
      }
      const areIdsEnough = !findChosen && !lists.some(({ hasTitles }) => hasTitles)
      return { lists: areIdsEnough ? lists.map(({ listId }) => listId) : undefined, pick }
    },

    servicesIn: offers.servicesIn,
  }
}

const switchedOff = async (): Promise<never> => {
  throw new Problem('NOT_FOUND')
}

const OFF: AvailabilityOf = { ofCards: switchedOff, watchableBy: switchedOff, servicesIn: switchedOff }
