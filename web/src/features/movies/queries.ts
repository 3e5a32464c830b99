import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { IMAGE_ENDPOINTS } from '@marquee/contract/endpoints/images'
import type { Card } from '@marquee/contract/entities/card'
import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call, PAGED } from '#web/api/call.ts'
import { logWarning } from '#web/api/log.ts'
import { answeredHere } from '#web/api/read-times.ts'

import { seedComments } from './comment-queries.ts'
import { type FeedCard, type FeedPage, type FeedPages, heldPage, withSameCards } from './feed-pages.ts'

export const cardKeys = {
  all: (watchlistId: string) => ['cards', watchlistId] as const,
  feed: (watchlistId: string) => ['cards', watchlistId, 'feed'] as const,
  linked: (watchlistId: string, cardId: string) => ['cards', watchlistId, 'linked', cardId] as const,
  count: (watchlistId: string) => ['cards', watchlistId, 'count'] as const,
  suggestions: (watchlistId: string) => ['cards', watchlistId, 'suggestions'] as const,
  /** Read again with the suggestions. */
  wants: (watchlistId: string) => ['cards', watchlistId, 'suggestions', 'wants'] as const,
  viewings: (watchlistId: string, ...card: [cardId?: string]) => ['viewings', watchlistId, ...card] as const,
}

/** Takes over a card for the feed, and its last comments for the cache of comments. */
export function receiveCard(client: QueryClient, card: Card): FeedCard {
  seedComments(client, card)
  return { ...card, lastComments: [] }
}

/** The version of the feed that the server has confirmed, for each read of pages. */
const confirmed = new WeakMap<AbortSignal, string>()

/**
 * The feed of a watchlist, page by page, newest status change first. All pages have the version of the feed. If the server has
 * confirmed it for the first page, the others are not requested again.
 */
export const cardFeed = (watchlistId: string) =>
  infiniteQueryOptions({
    queryKey: cardKeys.feed(watchlistId),
    queryFn: async ({ client, queryKey, pageParam, signal }): Promise<FeedPage> => {
      const held = heldPage(client.getQueryData<FeedPages>(queryKey), pageParam)
      if (held?.version !== undefined && held.version === confirmed.get(signal)) return held
      const page = await call(CARD_ENDPOINTS.listCards, {
        params: { watchlistId },
        query: { limit: CARDS_PAGE_SIZE, nextToken: pageParam },
        held,
        signal,
      })
      if (held !== undefined && page === held) {
        if (held.version !== undefined) confirmed.set(signal, held.version)
        return held
      }
      return { ...page, cards: page.cards.map((card) => receiveCard(client, card)) }
    },
    ...PAGED,
    // A card that moves shifts all below it, which by default are compared by their places and copied.
    structuralSharing: (before, feed): unknown =>
      // Both are data of this query.
      withSameCards(before as FeedPages | undefined, feed as FeedPages),
  })

/** The user's own cards in the box, page by page, newest first. */
export const suggestions = (watchlistId: string) =>
  infiniteQueryOptions({
    queryKey: cardKeys.suggestions(watchlistId),
    queryFn: async ({ pageParam, signal }) =>
      call(CARD_ENDPOINTS.listSuggestions, {
        params: { watchlistId },
        query: { limit: CARDS_PAGE_SIZE, nextToken: pageParam },
        signal,
      }),
    ...PAGED,
  })

/** How many cards are in the box. A failure is only logged and counts as an empty box. */
export const suggestedCount = (watchlistId: string) =>
  queryOptions({
    queryKey: cardKeys.count(watchlistId),
    queryFn: async ({ client, queryKey, signal }) => {
      try {
        const { count } = await call(CARD_ENDPOINTS.countSuggestedCards, { params: { watchlistId }, signal })
        return count
      } catch (error) {
        if (!signal.aborted) logWarning('The cards in the box could not be counted', error)
        const query = client.getQueryCache().find({ queryKey })
        if (query) answeredHere(query)
        return 0
      }
    },
  })

/**
 * Whether the server finds an image at this address. Without a connection any address passes, since the movie is kept until
 * there is one; then its card says if the poster could not be copied.
 */
export async function isImageAt(url: string): Promise<boolean> {
  try {
    await call(IMAGE_ENDPOINTS.validateImageUrl, { body: { url } })
    return true
  } catch (error) {
    return isApiError(error, 'NETWORK_ERROR')
  }
}
