import { type BodyInput, ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card } from '@marquee/contract/entities/card'
import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { logWarning } from '#web/api/log.ts'

import { type FeedPages, firstPageOf, withCardOnTop, withoutCard } from './feed-pages.ts'

const cardKeys = {
  feed: (watchlistId: string) => ['cards', watchlistId, 'feed'] as const,
  count: (watchlistId: string) => ['cards', watchlistId, 'count'] as const,
}

/** The feed of a watchlist, page by page, newest status change first. */
export const cardFeed = (watchlistId: string) =>
  infiniteQueryOptions({
    queryKey: cardKeys.feed(watchlistId),
    queryFn: async ({ pageParam, signal }) =>
      call(ENDPOINTS.listCards, {
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

function changeFeed(client: QueryClient, watchlistId: string, change: (feed: FeedPages) => FeedPages): void {
  client.setQueryData(cardFeed(watchlistId).queryKey, (feed) => (feed === undefined ? feed : change(feed)))
}

function changeCount(client: QueryClient, watchlistId: string, by: 1 | -1): void {
  client.setQueryData(suggestedCount(watchlistId).queryKey, (count) => Math.max(0, (count ?? 0) + by))
}

/** A page that is on its way was asked for before the change and would undo it on the screen. */
async function stopReading(client: QueryClient, watchlistId: string): Promise<void> {
  await client.cancelQueries({ queryKey: ['cards', watchlistId] })
}

/** Is there an image at this address, as far as the server can see? Any failure counts as no (spec section 5). */
export async function isImageAt(url: string): Promise<boolean> {
  try {
    await call(ENDPOINTS.validateImageUrl, { body: { url } })
    return true
  } catch {
    return false
  }
}

/** Adds a movie: on top of the feed if it was revealed at once, otherwise one more in the box (spec section 4). */
export function useAddCard(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: BodyInput<typeof ENDPOINTS.addCard>) =>
      call(ENDPOINTS.addCard, { params: { watchlistId }, body }),
    onSuccess: async (card: Card) => {
      await stopReading(client, watchlistId)
      if (isInTheBox(card.status)) changeCount(client, watchlistId, 1)
      else changeFeed(client, watchlistId, (feed) => withCardOnTop(feed, card))
    },
  })
}

/**
 * Draws a random card: it goes on top of the feed, the box holds one less (spec section 4). `onRevealed` is called
 * before the card is in the feed.
 */
export function useRevealCard(watchlistId: string, onRevealed: (card: Card) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => call(ENDPOINTS.revealRandomCard, { params: { watchlistId } }),
    onSuccess: async (card: Card) => {
      await stopReading(client, watchlistId)
      onRevealed(card)
      changeFeed(client, watchlistId, (feed) => withCardOnTop(feed, card))
      changeCount(client, watchlistId, -1)
    },
  })
}

export type Move = { cardId: string; status: MoveTarget }

/**
 * Moves a revealed card, then reloads the feed from the start and counts the box again (spec section 4). `onMoved` is
 * called before the card changes on the screen.
 */
export function useMoveCard(watchlistId: string, onMoved: (card: Card) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ cardId, status }: Move) =>
      call(ENDPOINTS.moveCard, { params: { watchlistId, cardId }, body: { status } }),
    onSuccess: async (card: Card) => {
      await stopReading(client, watchlistId)
      onMoved(card)
      // Where the reload will put it, so that nothing flickers while the first page is on its way.
      changeFeed(client, watchlistId, (feed) =>
        firstPageOf(isInTheBox(card.status) ? withoutCard(feed, card.id) : withCardOnTop(feed, card)),
      )
      void client.invalidateQueries({ queryKey: cardFeed(watchlistId).queryKey })
      void client.invalidateQueries({ queryKey: suggestedCount(watchlistId).queryKey })
    },
  })
}
