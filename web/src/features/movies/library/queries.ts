import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import type { Card, CardsPage } from '@marquee/contract/entities/card'
import { MAX_PAGE_SIZE } from '@marquee/contract/limits'
import type { LiveEvent } from '@marquee/contract/live-events'
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call, PAGED } from '#web/api/call.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { logWarning } from '#web/api/log.ts'
import { catchUp } from '#web/api/own-changes.ts'
import { capitalized } from '#web/i18n/movie-facts.ts'

import type { LibraryQuery } from './library-search.ts'
import { withPage } from './outline.ts'

export const libraryKeys = {
  outlines: (watchlistId: string) => ['library', watchlistId, 'outlines'] as const,
  pages: (watchlistId: string) => ['library', watchlistId, 'pages'] as const,
  genres: (watchlistId: string) => ['library', watchlistId, 'genres'] as const,
  frequentGenres: (watchlistId: string) => ['library', watchlistId, 'frequent-genres'] as const,
}

/** A page of the cards that a query finds, with the query and the token that it was read with. */
type LibraryPage = CardsPage & { query: LibraryQuery; token: string | undefined }

export const libraryPage = (watchlistId: string, query: LibraryQuery, token: string | undefined) =>
  queryOptions({
    queryKey: [...libraryKeys.pages(watchlistId), query, token] as const,
    queryFn: async ({ client, signal }): Promise<LibraryPage> => {
      const found = await call(CARD_ENDPOINTS.listLibrary, {
        params: { watchlistId },
        query: { ...query, limit: MAX_PAGE_SIZE, nextToken: token },
        signal,
      })
      const page = { ...found, query, token }
      correctOutline(client, watchlistId, page)
      rememberGenres(client, watchlistId, found.cards)
      return page
    },
  })

/**
 * Where the pages of a query begin and end, as far as they were read. The cards are in queries of their own, so that far
 * pages can be forgotten. While another query is asked, the outline of the last one stays.
 */
export const libraryOutline = (watchlistId: string, query: LibraryQuery) =>
  infiniteQueryOptions({
    queryKey: [...libraryKeys.outlines(watchlistId), query] as const,
    queryFn: async ({ client, pageParam }) => {
      const { cards, nextToken } = await client.query(libraryPage(watchlistId, query, pageParam))
      return { query, count: cards.length, nextToken }
    },
    ...PAGED,
    // Each page that is read again corrects it.
    staleTime: Infinity,
    // It is small, and the position needs it.
    gcTime: Infinity,
    placeholderData: keepPreviousData,
  })

function correctOutline(client: QueryClient, watchlistId: string, page: LibraryPage): void {
  const { queryKey } = libraryOutline(watchlistId, page.query)
  const before = client.getQueryData(queryKey)
  const after = before && withPage(before, page.token, page)
  if (after !== before) client.setQueryData(queryKey, after)
}

const NO_GENRES: readonly string[] = []

/** The genres of all movies seen so far, so that a filter does not empty its own list. */
export const libraryGenres = (watchlistId: string) =>
  queryOptions({
    queryKey: libraryKeys.genres(watchlistId),
    queryFn: () => NO_GENRES,
    initialData: NO_GENRES,
    // Reading it again would empty it.
    staleTime: 'static',
  })

function rememberGenres(client: QueryClient, watchlistId: string, cards: readonly Card[]): void {
  client.setQueryData(libraryGenres(watchlistId).queryKey, (known = NO_GENRES) => {
    const genres = new Set([...known, ...cards.flatMap(({ movie }) => movie?.genres ?? [])])
    return genres.size === known.length ? known : [...genres].toSorted((one, other) => one.localeCompare(other))
  })
}

/** As many as a phone shows in a few rows. */
const MOST_GENRES = 12

/** The genres that the user meets most: in the last movies of the library and their own in the box, never in cards of others. */
export const frequentGenres = (watchlistId: string) =>
  queryOptions({
    queryKey: libraryKeys.frequentGenres(watchlistId),
    queryFn: async ({ signal }) => {
      const params = { watchlistId }
      const query = { limit: MAX_PAGE_SIZE }
      const pages = await Promise.all([
        call(CARD_ENDPOINTS.listLibrary, { params, query, signal }),
        call(CARD_ENDPOINTS.listSuggestions, { params, query, signal }),
      ])
      const genres = pages.flatMap(({ cards }) => cards.flatMap(({ movie }) => movie?.genres ?? [])).map(capitalized)
      const byName = Map.groupBy(genres, (genre) => genre.toLowerCase())
      return [...byName.values()]
        .toSorted((one, other) => other.length - one.length)
        .flatMap(([genre = '']) => genre)
        .slice(0, MOST_GENRES)
    },
  })

/** Shows the changes of others. The pages near the screen are read again, the others when they are near. */
export function useLiveLibrary(watchlistId: string): void {
  const client = useQueryClient()
  const queryKey = libraryKeys.pages(watchlistId)

  const replace = (cardId: string, card: Card | undefined) => {
    for (const [key, page] of client.getQueriesData<LibraryPage>({ queryKey })) {
      // Its first reply may be on its way, from before the change.
      if (page === undefined) void client.invalidateQueries({ queryKey: key, exact: true })
      if (page?.cards.some(({ id }) => id === cardId) !== true) continue
      const changed = { ...page, cards: page.cards.flatMap((one) => (one.id === cardId ? (card ?? []) : one)) }
      client.setQueryData(key, changed)
      correctOutline(client, watchlistId, changed)
    }
  }
  const readAgain = async (cardId: string) => {
    try {
      const card = await call(CARD_ENDPOINTS.getCard, { params: { watchlistId, cardId } })
      const pages = client.getQueriesData<LibraryPage>({ queryKey })
      const known = pages.flatMap(([, page]) => page?.cards ?? []).find(({ id }) => id === cardId)
      replace(cardId, card)
      // A decision moves the card, and decides which filters find it.
      if (known?.status !== card.status) await client.invalidateQueries({ queryKey })
    } catch (error) {
      if (isApiError(error, 'NOT_FOUND')) replace(cardId, undefined)
      else logWarning('What changed could not be read', error)
    }
  }

  const show = ({ kind, cardId }: LiveEvent) => {
    if (kind === 'card-revealed' || kind === 'viewings-changed') void client.invalidateQueries({ queryKey })
    if (cardId === undefined) return
    if (kind === 'card-changed') void readAgain(cardId)
    if (kind === 'card-deleted') replace(cardId, undefined)
  }

  useLiveEvents(watchlistId, {
    onEvent: show,
    onOpen: (moment) => void catchUp(client, queryKey, moment),
  })
}
