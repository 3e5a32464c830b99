import type { ReactNode } from 'react'

import { useFactsText } from '#web/i18n/movie-facts.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { SmallPoster } from './small-poster.tsx'
import type { FoundMovie } from './movie-values.ts'
import type { Candidate } from './use-movie-search.ts'

type MoviePreviewProps = {
  candidate: Candidate
  /** All that the catalogue knows, once it is read. */
  found: FoundMovie | undefined
  isReading: boolean
  /** What is said about the movie, and its buttons. */
  children: ReactNode
}

/** A movie as its card will look. Its size stays while the details are read. */
export function MoviePreview({ candidate, found, isReading, children }: MoviePreviewProps) {
  const factsText = useFactsText()
  const { title, posterUrl } = found ?? candidate.result ?? candidate.found
  const facts = found?.movie ?? candidate.result ?? {}
  return (
    <div className="flex shrink-0 flex-col gap-3 border-t border-line pt-3 sm:border-t-0 sm:pt-1.5">
      <div className="flex gap-3">
        <SmallPoster url={posterUrl ?? candidate.result?.posterUrl ?? null} className="w-16 sm:w-24" />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <h4 className="font-display text-lg leading-tight font-semibold">
            <bdi>{title}</bdi>
          </h4>
          <p className="line-clamp-2 text-sm text-muted">{factsText(facts)}</p>
          {isReading ? (
            <Skeleton className="h-5 w-full" />
          ) : (
            <p dir="auto" className="line-clamp-1 min-h-5 text-sm sm:line-clamp-2">
              {found?.description?.split('\n')[0]}
            </p>
          )}
        </div>
      </div>
      {children}
    </div>
  )
}
