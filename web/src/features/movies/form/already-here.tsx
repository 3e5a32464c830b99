import type { CardStatus } from '@marquee/contract/entities/card'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { useState } from 'react'

import { locale } from '#web/i18n/language.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { cardElementId } from '#web/paths.ts'
import { linkStyle } from '#web/ui/classes.ts'

import { focusCard } from '../card/focus-card.ts'
import { feedCache } from '../feed-cache.ts'
import { movieMatch } from './catalogue.ts'
import type { FoundMovie } from './movie-values.ts'

const IN_FEED = {
  SUGGESTED: undefined,
  REVEALED: 'match.revealed',
  WATCHED: 'match.watched',
  REJECTED: 'match.rejected',
} as const satisfies Record<CardStatus, string | undefined>

const NOTHING_FOUND: FoundMovie = { title: '', description: null, posterUrl: null, movie: null }

/** Where a movie already is. `isOnlyInBox`: the user can want it in place of adding it once more. */
export function useAlreadyHere(watchlistId: string, found: FoundMovie | undefined) {
  const { data, refetch } = useQuery(movieMatch(watchlistId, found ?? NOTHING_FOUND))
  const inFeed = data?.inFeed ?? undefined
  return { inFeed, isOnlyInBox: inFeed === undefined && data?.isInBox === true, refetch }
}

/** An ISO time as a month: "March", or "March 2025" if it is not of this year. */
function monthText(iso: string, now: Date): string {
  const date = new Date(iso)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return new Intl.DateTimeFormat(locale, { month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) }).format(date)
}

type AlreadyHereProps = {
  watchlistId: string
  place: ReturnType<typeof useAlreadyHere>
  onLeave?: (() => void) | undefined
}

/** Says that a movie is already in the watchlist. Who put it into the box stays secret. */
export function AlreadyHere({ watchlistId, place: { inFeed, isOnlyInBox }, onLeave }: AlreadyHereProps) {
  const { t } = useTranslation('moviecard')
  const feed = feedCache(useQueryClient(), watchlistId)
  const [now] = useState(() => new Date())
  const key = inFeed && IN_FEED[inFeed.status]
  const sentence = inFeed && key ? t(key, { month: monthText(inFeed.statusChangedAt, now) }) : undefined
  // A card further down is not on the page yet.
  const isLoaded = inFeed !== undefined && feed.find(inFeed.cardId) !== undefined
  const said = isOnlyInBox ? t('match.inBox') : sentence
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the reset of a form replaces the content of an output element
    <div role="status" className="text-sm empty:hidden">
      {said !== undefined && (
        <span className="flex items-start gap-2">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          {isLoaded ? (
            <a
              href={`#${cardElementId(inFeed.cardId)}`}
              className={linkStyle}
              onClick={(event) => {
                event.preventDefault()
                onLeave?.()
                focusCard(inFeed.cardId)
              }}
            >
              {said}
            </a>
          ) : (
            said
          )}
        </span>
      )}
    </div>
  )
}
