import type { CatalogueResult } from '@marquee/contract/entities/catalogue'
import { linkIn } from '@marquee/contract/rules/link'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'

import { catalogueSearch, isSearchable, movieAtLink } from './catalogue.ts'
import type { FoundMovie } from './movie-values.ts'

const ASK_AFTER_MS = 250

type Failure = 'off' | 'unreachable' | 'noMovieAtLink'

export type SearchStatus =
  | { step: 'idle' | 'searching' | 'readingLink' | 'none' }
  | { step: 'found'; count: number }
  | { step: 'failed'; failure: Failure }

/** A movie to choose: the result of a search, or what a link shows. */
export type Candidate = { id: string } & (
  | { result: CatalogueResult; found?: undefined }
  | { result?: undefined; found: FoundMovie }
)

function failureOf(error: unknown): Failure {
  if (isApiError(error, 'NOT_FOUND')) return 'off'
  return isApiError(error, 'BAD_REQUEST') ? 'noMovieAtLink' : 'unreachable'
}

/** A search for a movie by its title or by a link to it. It starts when the user stops typing. */
export function useMovieSearch(begin: string, onType: (text: string) => void) {
  const [text, setText] = useState(begin)
  const [asked, setAsked] = useState(begin.trim())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const url = linkIn(asked)
  const search = useQuery(catalogueSearch(url === undefined ? asked : ''))
  const link = useQuery(movieAtLink(url))
  const { error, isFetching } = url === undefined ? search : link

  const isCurrent = text.trim() !== '' && asked === text.trim()
  const isSearched = !isSearchable(asked) || (search.data !== undefined && !search.isPlaceholderData)
  /** Whether the results, or the failure, belong to the text in the field. */
  const isSettled = isCurrent && !isFetching && (error !== null || url !== undefined || isSearched)
  const candidates = (): Candidate[] => {
    if (url !== undefined) return link.data === undefined ? [] : [{ id: url, found: link.data }]
    if (asked === '' || search.error !== null) return []
    return (search.data ?? []).map((result) => ({ id: result.id, result }))
  }

  const status = (): SearchStatus => {
    if (isFetching) return { step: url === undefined ? 'searching' : 'readingLink' }
    if (!isSettled) return { step: 'idle' }
    if (error !== null) return { step: 'failed', failure: failureOf(error) }
    if (url !== undefined || !isSearchable(asked)) return { step: 'idle' }
    const count = search.data?.length ?? 0
    return count === 0 ? { step: 'none' } : { step: 'found', count }
  }

  const type = (typed: string) => {
    clearTimeout(timer.current)
    setText(typed)
    onType(typed)
    if (typed.trim() === '') setAsked('')
    else timer.current = setTimeout(() => setAsked(typed.trim()), ASK_AFTER_MS)
  }
  return {
    text,
    candidates: candidates(),
    isSettled,
    status: status(),
    type,
    askNow: () => {
      clearTimeout(timer.current)
      setAsked(text.trim())
    },
  }
}
