import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card, CardsPage } from '@marquee/contract/entities/card'
import { MAX_PAGE_SIZE } from '@marquee/contract/limits'
import type { LiveEvent } from '@marquee/contract/live-events'
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, useQueryClient } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { logWarning } from '#web/api/log.ts'
import { catchUp } from '#web/api/own-changes.ts'

import type { LibraryQuery } from './library-search.ts'

const libraryKey = (watchlistId: string) => ['library', watchlistId] as const

/** The cards that a query finds, page by page. While another query is asked, the cards of the last one stay. */
export const libraryPages = (watchlistId: string, query: LibraryQuery) =>
  infiniteQueryOptions({
    queryKey: [...libraryKey(watchlistId), query] as const,
    queryFn: async ({ pageParam, signal }) =>
      call(ENDPOINTS.listLibrary, {
        params: { watchlistId },
        query: { ...query, limit: MAX_PAGE_SIZE, nextToken: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextToken ?? undefined,
    placeholderData: keepPreviousData,
  })

type LibraryPages = InfiniteData<CardsPage>

type Collected = { pages: readonly CardsPage[]; cards: readonly Card[]; genres: readonly string[] }

/**
 * Collects the cards of all pages, and the genres of all movies seen so far, so that a filter does not empty its own list.
 * A further page costs the same after ten and after a thousand pages.
 */
export function collector(): (pages: readonly CardsPage[]) => Collected {
  let last: Collected = { pages: [], cards: [], genres: [] }
  let places = new Map<string, number>()

  return (pages) => {
    if (pages === last.pages) return last
    const isLonger = pages.length > last.pages.length && last.pages.every((page, n) => page === pages[n])
    if (!isLonger) places = new Map()
    const cards = isLonger ? [...last.cards] : []
    const genres = new Set(last.genres)
    for (const card of pages.slice(isLonger ? last.pages.length : 0).flatMap((page) => page.cards)) {
      // A card that moved in the order between two pages is there once.
      const place = places.get(card.id) ?? cards.length
      places.set(card.id, place)
      cards[place] = card
      for (const genre of card.movie?.genres ?? []) genres.add(genre)
    }
    const isSame = genres.size === last.genres.length
    last = {
      pages,
      cards,
      genres: isSame ? last.genres : [...genres].toSorted((one, other) => one.localeCompare(other)),
    }
    return last
  }
}

/** More pages are not read again for one card. */
const FEW_PAGES = 3

/** Shows the changes of others. A new card appears where it belongs, unless many pages are loaded. */
export function useLiveLibrary(watchlistId: string): void {
  const client = useQueryClient()
  const queryKey = libraryKey(watchlistId)

  const replace = (cardId: string, card: Card | undefined) => {
    client.setQueriesData<LibraryPages>({ queryKey }, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) =>
              page.cards.some(({ id }) => id === cardId)
                ? { ...page, cards: page.cards.flatMap((one) => (one.id === cardId ? (card ?? []) : one)) }
                : page,
            ),
          },
    )
  }
  const readAgain = async (cardId: string) => {
    try {
      replace(cardId, await call(ENDPOINTS.getCard, { params: { watchlistId, cardId } }))
    } catch (error) {
      if (isApiError(error, 'NOT_FOUND')) replace(cardId, undefined)
      else logWarning('What changed could not be read', error)
    }
  }
  const hasFewPages = () =>
    client.getQueriesData<LibraryPages>({ queryKey }).every(([, data]) => (data?.pages.length ?? 0) <= FEW_PAGES)

  const show = ({ kind, cardId }: LiveEvent) => {
    if (kind === 'card-revealed' || kind === 'viewings-changed') {
      void client.invalidateQueries({ queryKey, refetchType: hasFewPages() ? 'active' : 'none' })
    }
    if (cardId === undefined) return
    if (kind === 'card-changed') void readAgain(cardId)
    if (kind === 'card-deleted') replace(cardId, undefined)
  }

  useLiveEvents(watchlistId, {
    onEvent: show,
    onOpen: (askedAt) => void catchUp(client, queryKey, askedAt),
  })
}
