import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import type { Card } from '@marquee/contract/entities/card'
import type { QueryClient } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import { logWarning } from '#web/api/log.ts'
import { changeKey, creationKey, ownChangesAnswered, readBetweenChanges, stopReading } from '#web/api/own-changes.ts'

import { commentKeys, knownComments } from './comment-queries.ts'
import { cardFeed, cardKeys, receiveCard, suggestedCount } from './queries.ts'
import {
  type FeedCard,
  type FeedPages,
  findCard,
  firstPageOf,
  withCardInPlace,
  withCardOnTop,
  withoutCard,
} from './feed-pages.ts'

function changeFeed(client: QueryClient, watchlistId: string, how: (feed: FeedPages) => FeedPages): void {
  const { queryKey } = cardFeed(watchlistId)
  const feed = client.getQueryData(queryKey)
  if (feed !== undefined) client.setQueryData(queryKey, how(feed))
  // Its first reply may be on its way, from before the change.
  else void client.invalidateQueries({ queryKey })
}

/** The cached cards of a watchlist: its feed, and how many are in the box. */
export function feedCache(client: QueryClient, watchlistId: string) {
  const { queryKey } = cardFeed(watchlistId)

  const change = (how: (feed: FeedPages) => FeedPages) => changeFeed(client, watchlistId, how)

  /** If a link to the page names the card, it is shown beside the feed, too. */
  const changeLinked = (cardId: string, card: FeedCard | null) =>
    client.setQueryData<FeedCard | null>(cardKeys.linked(watchlistId, cardId), (held) => held && card)
  const putInPlace = (card: FeedCard) => {
    changeLinked(card.id, card)
    change((feed) => withCardInPlace(feed, card))
  }
  const remove = (cardId: string) => {
    changeLinked(cardId, null)
    change((feed) => withoutCard(feed, cardId))
  }

  /** A card as the server has it now, undefined if it is no longer in the feed. */
  const read = async (cardId: string): Promise<Card | undefined> =>
    readBetweenChanges(client, watchlistId, async () => {
      try {
        return await call(CARD_ENDPOINTS.getCard, { params: { watchlistId, cardId } })
      } catch (error) {
        if (isApiError(error, 'NOT_FOUND')) return undefined
        throw error
      }
    })

  return {
    read,
    putInPlace,
    remove,
    /** Takes over a card that the server has sent. */
    receive: (card: Card) => receiveCard(client, card),
    putOnTop: (card: FeedCard) => change((feed) => withCardOnTop(feed, card)),
    keepFirstPage: () => change(firstPageOf),
    find: (cardId: string) => {
      const feed = client.getQueryData(queryKey)
      return feed === undefined ? undefined : findCard(feed, cardId)
    },
    /** Whether the newest comment of a card that the server has sent is not known yet. */
    hasNewComment: ({ id: cardId, lastComments: [newest] }: Card) =>
      newest !== undefined &&
      knownComments(client, { watchlistId, cardId }).every(({ commentId }) => commentId !== newest.commentId),
    /** Reads the comments of a card again, if more than the last ones are loaded. */
    readComments: async (cardId: string) =>
      readBetweenChanges(client, watchlistId, async () =>
        client.invalidateQueries({ queryKey: commentKeys.ofCard({ watchlistId, cardId }) }),
      ),
    changeCount: (by: 1 | -1) => {
      client.setQueryData(suggestedCount(watchlistId).queryKey, (count) => Math.max(0, (count ?? 0) + by))
    },
    /** Called before a change: the reply of a read that is under way would undo it on the screen. */
    stopReading: async () => stopReading(client, watchlistId, cardKeys.all(watchlistId)),
    /** Reads the feed and counts the box again. */
    reload: async () => client.invalidateQueries({ queryKey: cardKeys.all(watchlistId) }),
    /** A change of the box does not say whose it is. One of our own is counted when it is answered. */
    recount: async () => {
      await ownChangesAnswered(client, changeKey(watchlistId), creationKey(watchlistId))
      await client.invalidateQueries({ queryKey: cardKeys.count(watchlistId) })
    },
    readViewings: async (cardId: string) =>
      client.invalidateQueries({ queryKey: cardKeys.viewings(watchlistId, cardId) }),
    readSuggestions: async () => client.invalidateQueries({ queryKey: cardKeys.suggestions(watchlistId) }),
    /** Shows a card as the server has it now. */
    refresh: async (cardId: string) => {
      try {
        const card = await read(cardId)
        if (card === undefined) remove(cardId)
        else putInPlace(receiveCard(client, card))
      } catch (error) {
        logWarning('A card could not be read again', error)
      }
    },
  }
}

export type FeedCache = ReturnType<typeof feedCache>
