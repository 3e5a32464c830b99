import { ENDPOINTS } from '@marquee/contract/endpoints'
import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { logWarning } from '#web/api/log.ts'

import { type FeedPages, heldPage } from './feed-pages.ts'

export const cardKeys = {
  all: (watchlistId: string) => ['cards', watchlistId] as const,
  feed: (watchlistId: string) => ['cards', watchlistId, 'feed'] as const,
  count: (watchlistId: string) => ['cards', watchlistId, 'count'] as const,
  suggestions: (watchlistId: string) => ['cards', watchlistId, 'suggestions'] as const,
}

/** The feed of a watchlist, page by page, newest status change first. */
export const cardFeed = (watchlistId: string) =>
  infiniteQueryOptions({
    queryKey: cardKeys.feed(watchlistId),
    queryFn: async ({ client, queryKey, pageParam, signal }) =>
      call(ENDPOINTS.listCards, {
        params: { watchlistId },
        query: { limit: CARDS_PAGE_SIZE, nextToken: pageParam },
        held: heldPage(client.getQueryData<FeedPages>(queryKey), pageParam),
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextToken ?? undefined,
  })

/** The user's own cards in the box, page by page, the last one put in first. */
export const suggestions = (watchlistId: string) =>
  infiniteQueryOptions({
    queryKey: cardKeys.suggestions(watchlistId),
    queryFn: async ({ pageParam, signal }) =>
      call(ENDPOINTS.listSuggestions, {
        params: { watchlistId },
        query: { limit: CARDS_PAGE_SIZE, nextToken: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextToken ?? undefined,
  })

/** How many cards are in the box. A failure is only logged and counts as an empty box (spec section 8, "Display"). */
export const suggestedCount = (watchlistId: string) =>
  queryOptions({
    queryKey: cardKeys.count(watchlistId),
    queryFn: async ({ signal }) => {
      try {
        const { count } = await call(ENDPOINTS.countSuggestedCards, { params: { watchlistId }, signal })
        return count
      } catch (error) {
        if (!signal.aborted) logWarning('The cards in the box could not be counted', error)
        return 0
      }
    },
  })

/** Is there an image at this address, as far as the server can see? Any failure counts as no (spec section 5). */
export async function isImageAt(url: string): Promise<boolean> {
  try {
    await call(ENDPOINTS.validateImageUrl, { body: { url } })
    return true
  } catch {
    return false
  }
}
