import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { CATALOGUE_ENDPOINTS } from '@marquee/contract/endpoints/catalogue'
import type { CatalogueResult } from '@marquee/contract/entities/catalogue'
import { LanguageTag, Movie } from '@marquee/contract/entities/movie'
import { MAX_CATALOGUE_QUERY_LENGTH } from '@marquee/contract/limits'
import { keepPreviousData, type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'
import { language, languageTag } from '#web/i18n/language.ts'

import { cardKeys } from '../queries.ts'
import type { FoundMovie } from './movie-values.ts'

const FRESH_FOR_MS = 10 * 60_000

/** The language in which the user reads titles. A region tells which one, where it has its own. */
function readerLanguage(): string {
  return LanguageTag.safeParse(languageTag).data ?? language
}

/** A single letter finds nothing of use; a single Chinese character may be a title. */
export function isSearchable(text: string): boolean {
  return text.length > 1 || /\P{ASCII}/u.test(text)
}

/** The movies that match a title. While a new search runs, the results of the last one stay. */
export const catalogueSearch = (text: string) =>
  queryOptions({
    queryKey: ['catalogue', text],
    queryFn: async ({ signal }) => {
      const query = { q: text.slice(0, MAX_CATALOGUE_QUERY_LENGTH), language: readerLanguage() }
      const { results } = await call(CATALOGUE_ENDPOINTS.searchCatalogue, { query, once: true, signal })
      return results
    },
    enabled: isSearchable(text),
    staleTime: FRESH_FOR_MS,
    placeholderData: keepPreviousData,
  })

/** All that the catalogue knows of a result. */
export const movieDetails = (result: CatalogueResult | undefined) =>
  queryOptions({
    queryKey: ['catalogue', 'movie', result?.source, result?.id],
    queryFn:
      result === undefined
        ? skipToken
        : async ({ signal }): Promise<FoundMovie> => {
            const { source, id } = result
            const query = { language: readerLanguage() }
            return call(CATALOGUE_ENDPOINTS.readCatalogueMovie, { params: { source, id }, query, once: true, signal })
          },
    staleTime: FRESH_FOR_MS,
  })

/** The movie that a link shows. */
export const movieAtLink = (url: string | undefined) =>
  queryOptions({
    queryKey: ['catalogue', 'link', url],
    queryFn:
      url === undefined
        ? skipToken
        : async ({ signal }): Promise<FoundMovie> =>
            call(CATALOGUE_ENDPOINTS.readCatalogueLink, { body: { url, language: readerLanguage() }, signal }),
    staleTime: FRESH_FOR_MS,
  })

/** What a result says by itself. */
export function partOf({ source, id, title, originalTitle, year, directors }: CatalogueResult): FoundMovie {
  const movie = Movie.safeParse({ source, year, directors, originalTitle, ids: { [source]: id } }).data ?? null
  return { title, description: null, posterUrl: null, movie }
}

const matchKey = (watchlistId: string) => [...cardKeys.all(watchlistId), 'match']

/** Where a movie already is in a watchlist. */
export const movieMatch = (watchlistId: string, { title, movie }: FoundMovie) => {
  const { originalTitle = null, year = null, ids = {} } = movie ?? {}
  const query = { title, originalTitle: originalTitle ?? undefined, year: year ?? undefined, ...ids }
  return queryOptions({
    queryKey: [...matchKey(watchlistId), query],
    queryFn:
      movie === null
        ? skipToken
        : async ({ signal }) => call(CARD_ENDPOINTS.matchMovie, { params: { watchlistId }, query, once: true, signal }),
    // The user may have just added it.
    staleTime: 0,
  })
}

/** What was found of a movie is no longer true. */
export function forgetMatches(client: QueryClient, watchlistId: string): void {
  client.removeQueries({ queryKey: matchKey(watchlistId) })
}
