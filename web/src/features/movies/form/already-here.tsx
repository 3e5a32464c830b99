import type { CardStatus } from '@marquee/contract/entities/card'
import type { Movie } from '@marquee/contract/entities/movie'
import { cardElementId } from '#web/paths.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#web/i18n/texts.ts'

import { Button } from '#web/ui/button.tsx'
import { linkStyle } from '#web/ui/classes.ts'

import { CardFailure } from '../card-failure.tsx'
import { feedCache } from '../feed/feed-cache.ts'
import { focusCard } from '../feed/far-pages.ts'
import { useWantMovie } from '../wants.ts'
import { movieMatch } from './catalogue.ts'
import { locale } from '#web/i18n/language.ts'

const IN_FEED = {
  SUGGESTED: undefined,
  REVEALED: 'match.revealed',
  WATCHED: 'match.watched',
  REJECTED: 'match.rejected',
} as const satisfies Record<CardStatus, string | undefined>

/** An ISO time as a month: "March", or "March 2025" if it is not of this year. */
function monthText(iso: string, now: Date): string {
  const date = new Date(iso)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return new Intl.DateTimeFormat(locale, { month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) }).format(date)
}

type AlreadyHereProps = {
  watchlistId: string
  title: string
  movie: Movie
  onWanted?: ((title: string) => void) | undefined
}

/** Says that a movie is already in the watchlist. Who put it into the box stays secret, and the user can want it, too. */
export function AlreadyHere({ watchlistId, title, movie, onWanted }: AlreadyHereProps) {
  const { t } = useTranslation('moviecard')
  const feed = feedCache(useQueryClient(), watchlistId)
  const [now] = useState(() => new Date())
  const { data, refetch } = useQuery(movieMatch(watchlistId, title, movie))
  const want = useWantMovie(watchlistId)
  const card = data?.inFeed ?? undefined
  const inFeed = card && IN_FEED[card.status]
  const sentence = card && inFeed ? t(inFeed, { month: monthText(card.statusChangedAt, now) }) : ''
  // A card further down is not on the page yet.
  const isLoaded = card !== undefined && feed.find(card.cardId) !== undefined
  const isOnlyInBox = card === undefined && data?.isInBox === true
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 has-[>:only-child:empty]:hidden">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the reset of a form replaces the content of an output element */}
      <div role="status" className="text-sm empty:hidden">
        {card && inFeed && <Note>{isLoaded ? <CardLink cardId={card.cardId}>{sentence}</CardLink> : sentence}</Note>}
        {isOnlyInBox && <Note>{t('match.inBox')}</Note>}
      </div>
      {isOnlyInBox && (
        <Button
          tone="quiet"
          size="small"
          busy={want.isPending}
          onClick={() =>
            want.mutate(
              { title, movie },
              // The card may have been drawn meanwhile.
              { onSuccess: () => onWanted?.(title), onError: () => void refetch() },
            )
          }
        >
          {t('match.want')}
        </Button>
      )}
      {want.isError && <CardFailure action="want" error={want.error} />}
    </div>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-2">
      <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      {children}
    </span>
  )
}

/** A link to a card that is on the page. */
function CardLink({ cardId, children }: { cardId: string; children: string }) {
  return (
    <a
      href={`#${cardElementId(cardId)}`}
      className={linkStyle}
      onClick={(event) => {
        event.preventDefault()
        focusCard(cardId)
      }}
    >
      {children}
    </a>
  )
}
