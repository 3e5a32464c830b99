import type { CatalogueResult } from '@marquee/contract/entities/catalogue'
import { linkIn } from '@marquee/contract/rules/link'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'

import { catalogueSearch, isSearchable, partOf, readLink, readResult } from './catalogue.ts'
import type { FoundMovie } from './movie-values.ts'

const ASK_AFTER_MS = 250

type Failure = 'off' | 'unreachable' | 'noMovieAtLink'

/** Reading the details of a result, or a link. `title` is that of the result. */
type Reading =
  | { step: 'reading'; title: string | undefined }
  | { step: 'filled' | 'filledInPart'; title: string }
  | { step: 'failed'; failure: Failure }

export type SearchStatus = Reading | { step: 'idle' | 'searching' | 'none' } | { step: 'found'; count: number }

function failureOf(error: unknown): Failure {
  if (isApiError(error, 'NOT_FOUND')) return 'off'
  return isApiError(error, 'BAD_REQUEST') ? 'noMovieAtLink' : 'unreachable'
}

/** Called with a movie. `isMore` adds the details to what a result said by itself. */
export type OnFound = (movie: FoundMovie, isMore: boolean) => void

/** A search by title, which starts when the user stops typing, and the reading of results and links. */
export function useMovieSearch(begin: string, onFound: OnFound) {
  const [text, setText] = useState(begin)
  const [asked, setAsked] = useState('')
  const [reading, setReading] = useState<Reading>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const current = useRef<AbortController>(undefined)
  const { data, error, isPlaceholderData, isFetching } = useQuery(catalogueSearch(asked))

  const stop = () => {
    clearTimeout(timer.current)
    current.current?.abort()
  }
  useEffect(() => stop, [])

  const take = (movie: FoundMovie, isMore: boolean) => {
    setText('')
    setAsked('')
    onFound(movie, isMore)
  }
  const read = async (title: string | undefined, load: (signal: AbortSignal) => Promise<FoundMovie>) => {
    stop()
    const { signal } = (current.current = new AbortController())
    setReading({ step: 'reading', title })
    try {
      const movie = await load(signal)
      if (signal.aborted) return
      setReading({ step: 'filled', title: movie.title })
      take(movie, title !== undefined)
    } catch (failure) {
      if (signal.aborted) return
      setReading(
        title === undefined ? { step: 'failed', failure: failureOf(failure) } : { step: 'filledInPart', title },
      )
    }
  }
  const ask = (typed: string) => {
    const url = linkIn(typed)
    if (url === undefined) setAsked(typed.trim())
    else void read(undefined, async (signal) => readLink(url, signal))
  }
  const type = (typed: string) => {
    stop()
    setReading(undefined)
    setText(typed)
    if (typed.trim() === '') setAsked('')
    else timer.current = setTimeout(ask, ASK_AFTER_MS, typed)
  }

  const askAtFirst = useEffectEvent(() => {
    if (begin !== '') ask(begin)
  })
  useEffect(() => {
    timer.current = setTimeout(() => askAtFirst())
  }, [])

  const results = asked === '' ? [] : (data ?? [])
  const isAnswered = error !== null || !isSearchable(asked) || (data !== undefined && !isPlaceholderData)
  /** Whether the results, or the failure, belong to the text in the field. */
  const isSettled =
    text.trim() !== '' && (reading?.step === 'failed' || (reading === undefined && asked === text.trim() && isAnswered))

  const status = (): SearchStatus => {
    if (reading !== undefined) return reading
    if (isFetching) return { step: 'searching' }
    if (!isSettled || !isSearchable(asked)) return { step: 'idle' }
    if (error !== null) return { step: 'failed', failure: failureOf(error) }
    return results.length === 0 ? { step: 'none' } : { step: 'found', count: results.length }
  }

  return {
    text,
    results: error === null ? results : [],
    isSettled,
    status: status(),
    type,
    /** Asks at once. */
    askNow: () => {
      stop()
      ask(text)
    },
    choose: (result: CatalogueResult) => {
      take(partOf(result), false)
      void read(result.title, async (signal) => readResult(result, signal))
    },
    clear: () => type(''),
  }
}
