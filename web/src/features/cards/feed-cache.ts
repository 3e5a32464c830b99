import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'
import { EMBEDDED_COMMENTS } from '@marquee/contract/limits'
import type { QueryClient } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import { logWarning } from '#web/api/log.ts'
import { creationKey, ownChangesAnswered, readBetweenChanges, stopReading } from '#web/api/own-changes.ts'

import {
  type FeedPages,
  findCard,
  firstPageOf,
  withCardChanged,
  withCardInPlace,
  withCardOnTop,
  withoutCard,
} from './feed-pages.ts'
import { cardFeed, cardKeys, suggestedCount } from './queries.ts'

/** What the screen shows of the cards of a watchlist: its feed and how many are in the box. */
export function feedCache(client: QueryClient, watchlistId: string) {
  const { queryKey } = cardFeed(watchlistId)

  const change = (how: (feed: FeedPages) => FeedPages) => {
    client.setQueryData(queryKey, (feed) => (feed === undefined ? feed : how(feed)))
  }

  const putInPlace = (card: Card) => change((feed) => withCardInPlace(feed, card))
  const remove = (cardId: string) => change((feed) => withoutCard(feed, cardId))

  /** A card as the server has it now; undefined if it is not in the feed any more. */
  const read = async (cardId: string): Promise<Card | undefined> =>
    readBetweenChanges(client, watchlistId, async () => {
      try {
        return await call(ENDPOINTS.getCard, { params: { watchlistId, cardId } })
      } catch (error) {
        if (isApiError(error, 'NOT_FOUND')) return undefined
        throw error
      }
    })

  return {
    read,
    putInPlace,
    remove,
    putOnTop: (card: Card) => change((feed) => withCardOnTop(feed, card)),
    keepFirstPage: () => change(firstPageOf),
    find: (cardId: string) => {
      const feed = client.getQueryData(queryKey)
      return feed === undefined ? undefined : findCard(feed, cardId)
    },
    changeComments: (cardId: string, how: (comments: readonly Comment[]) => readonly Comment[]) =>
      change((feed) =>
        withCardChanged(feed, cardId, (card) => ({
          ...card,
          lastComments: how(card.lastComments).slice(0, EMBEDDED_COMMENTS),
        })),
      ),
    changeCount: (by: 1 | -1) => {
      client.setQueryData(suggestedCount(watchlistId).queryKey, (count) => Math.max(0, (count ?? 0) + by))
    },
    /** Called at the beginning of a change: a page that is on its way would undo it on the screen. */
    stopReading: async () => stopReading(client, watchlistId, cardKeys.all(watchlistId)),
    /** Asks for the feed and counts the box again. */
    reload: async () => client.invalidateQueries({ queryKey: cardKeys.all(watchlistId) }),
    /** A change of the box does not say whose it is: one of our own is about to come back as the answer and is counted then. */
    recount: async () => {
      await ownChangesAnswered(client, creationKey(watchlistId))
      await client.invalidateQueries({ queryKey: cardKeys.count(watchlistId) })
    },
    readSuggestions: async () => client.invalidateQueries({ queryKey: cardKeys.suggestions(watchlistId) }),
    /** Shows a card as the server has it now. */
    refresh: async (cardId: string) => {
      try {
        const card = await read(cardId)
        if (card === undefined) remove(cardId)
        else putInPlace(card)
      } catch (error) {
        logWarning('A card could not be read again', error)
      }
    },
  }
}

export type FeedCache = ReturnType<typeof feedCache>
