import type { Card } from '@marquee/contract/entities/card'
import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { useDraft } from '#web/session/drafts.ts'

import type { LibraryQuery } from './library-search.ts'
import { keepOutline, readOutline, startsOf } from './outline.ts'
import { libraryGenres, libraryKeys, libraryOutline, libraryPage } from './queries.ts'

/** The cards of so many pages above and below the screen stay in memory. More of them make each garbage collection longer. */
const KEPT_PAGES = 20
/** A page that passes by faster is not requested. */
const REST_MS = 100

/** The places of the first and the last movie on the screen. */
export type Screenful = { first: number; last: number }

/**
 * The movies that a query finds. Only the cards near the screen are loaded, `cards` from the place `offset` on. The places and
 * the count of all pages that were seen stay, also when the user comes back or reloads, so that the position stays valid.
 */
export function useMovies(watchlistId: string, query: LibraryQuery, { first, last }: Screenful) {
  const client = useQueryClient()
  const outline = useStoredOutline(watchlistId, query)
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = outline
  const { pages, pageParams } = data ?? { pages: [], pageParams: [] }
  const found = pages.at(0)?.query ?? query
  const starts = useMemo(() => startsOf(data?.pages ?? []), [data])
  const firstPage = Math.max(0, pageAt(starts, first) - 1)
  const lastPage = Math.min(pages.length - 1, pageAt(starts, last) + 1)

  const isResting = useRest(`${firstPage} ${lastPage}`)
  const near = useQueries({
    queries: pages.slice(firstPage, lastPage + 1).map((_, n) => {
      const token = pages[firstPage + n - 1]?.nextToken ?? undefined
      return { ...libraryPage(watchlistId, found, token), enabled: isResting }
    }),
  })
  const cards = near.flatMap((page, n): (Card | undefined)[] =>
    Array.from({ length: pages[firstPage + n]?.count ?? 0 }, (_, place) => page.data?.cards[place]),
  )

  const forgetFarPages = useEffectEvent(() => {
    const kept = new Set(pageParams.slice(Math.max(0, firstPage - KEPT_PAGES), lastPage + KEPT_PAGES + 1))
    client.removeQueries({
      queryKey: [...libraryKeys.pages(watchlistId), found],
      type: 'inactive',
      fetchStatus: 'idle',
      predicate: ({ queryKey }) => !kept.has(queryKey.at(-1)),
    })
  })
  useEffect(() => forgetFarPages(), [firstPage, lastPage])

  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  // A page may be empty, and the next one not.
  const isEmpty = pages.at(-1)?.count === 0
  useEffect(() => {
    if (isEmpty) loadMore()
  }, [isEmpty, loadMore])
  const failed = near.filter(({ isError, isFetching: isAgain }) => isError && !isAgain)
  const error = failed.at(0)?.error ?? (outline.isError && !isFetching ? outline.error : null)
  const retry = () => {
    // The kept tokens may be of an earlier version of the server.
    if (isApiError(error, 'BAD_REQUEST')) void client.resetQueries({ queryKey: libraryKeys.outlines(watchlistId) })
    else if (failed.length > 0) for (const page of failed) void page.refetch()
    else void (isFetchNextPageError ? fetchNextPage() : outline.refetch())
  }

  return {
    cards,
    offset: starts[firstPage] ?? 0,
    /** How many movies are on the pages that were seen, undefined before the first. */
    count: data && starts.at(-1),
    hasMore: hasNextPage,
    isLoadingMore: outline.isFetchingNextPage,
    /** They are of the last query. */
    isOutdated: outline.isPlaceholderData,
    genres: useQuery(libraryGenres(watchlistId)).data,
    loadMore,
    error,
    retry,
  }
}

/** The page with the card at a place. */
function pageAt(starts: readonly number[], place: number): number {
  return starts.findLastIndex((start) => start <= place)
}

/** Whether a value has not changed for a while. */
function useRest(value: string): boolean {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested === value
}

/** The outline of a query, from before a reload if it is known. */
function useStoredOutline(watchlistId: string, query: LibraryQuery) {
  const client = useQueryClient()
  const draft = useDraft(`library.${watchlistId}`)
  const options = libraryOutline(watchlistId, query)
  useState(() => {
    const { queryKey } = options
    if (client.getQueryData(queryKey) === undefined) client.setQueryData(queryKey, readOutline(draft, query))
    return undefined
  })
  const outline = useInfiniteQuery(options)
  const keep = useEffectEvent(() => {
    if (outline.data !== undefined && !outline.isPlaceholderData) keepOutline(draft, outline.data)
  })
  // Not when the list is left: a sign-out has cleared the drafts before.
  useLayoutEffect(() => {
    const leave = () => keep()
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])
  return outline
}
