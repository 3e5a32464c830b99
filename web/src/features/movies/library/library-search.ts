import { LIBRARY_SORTS, LIBRARY_STATUSES, type LibrarySort } from '@marquee/contract/rules/library'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

import { features } from '#web/config.ts'

export const FILTERS = [
  'status',
  'genre',
  'decade',
  'maxRuntime',
  'suggestedBy',
  'seen',
  'ownRating',
  'averageRating',
  'watchable',
] as const
export type FilterName = (typeof FILTERS)[number]

export const SEEN = ['no', 'yes'] as const

export const VIEWS = ['grid', 'table'] as const
export type LibraryView = (typeof VIEWS)[number]

/** What the library is asked for. Its names are those of the query of the API. */
export type LibraryQuery = {
  q?: string
  status?: (typeof LIBRARY_STATUSES)[number]
  genre?: string
  decade?: number
  maxRuntime?: number
  suggestedBy?: string
  seen?: (typeof SEEN)[number]
  ownRating?: number
  averageRating?: number
  watchable?: 'yes'
  sort: LibrarySort
}

type Change = Partial<Record<FilterName | 'q' | 'sort' | 'view', string | undefined>>

const isRating = (stars: number) => stars >= 1 && stars <= 5

/** Whether this installation knows where movies can be watched. */
function knowsWhere(): boolean {
  const { watchProviders, mediaServers } = features()
  return watchProviders === true || mediaServers === true
}

/** The query in a URL. A value that the library does not know is left out. */
function readSearch(params: URLSearchParams): LibraryQuery {
  const textOf = (name: string) => params.get(name)?.trim() || undefined
  const numberOf = (name: string, isValid: (value: number) => boolean) => {
    const value = Number(textOf(name))
    return Number.isInteger(value) && isValid(value) ? value : undefined
  }
  const all = {
    q: textOf('q'),
    status: LIBRARY_STATUSES.find((status) => status === params.get('status')),
    genre: textOf('genre'),
    decade: numberOf('decade', (year) => year >= 1870 && year <= 2200 && year % 10 === 0),
    maxRuntime: numberOf('maxRuntime', (minutes) => minutes >= 1 && minutes <= 60_000),
    suggestedBy: textOf('suggestedBy'),
    seen: SEEN.find((seen) => seen === params.get('seen')),
    ownRating: numberOf('ownRating', isRating),
    averageRating: numberOf('averageRating', isRating),
    watchable: params.get('watchable') === 'yes' && knowsWhere() ? ('yes' as const) : undefined,
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return { ...given, sort: LIBRARY_SORTS.find((sort) => sort === params.get('sort')) ?? 'changed' }
}

/** What is searched, filtered, sorted and shown how. It is all in the URL, so it can be shared and survives a reload. */
export function useLibrarySearch() {
  const [params, setParams] = useSearchParams()
  const query = useMemo(() => readSearch(params), [params])
  const view: LibraryView = VIEWS.find((one) => one === params.get('view')) ?? 'grid'
  const change = (changed: Change) => {
    // The URL has the changes that are not rendered yet. This one must not undo them.
    const after = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(changed)) {
      if (value === undefined || value === '') after.delete(name)
      else after.set(name, value)
    }
    setParams(after, { replace: true, preventScrollReset: true })
  }
  return { query, view, change }
}
