import type { CardStatus } from '@marquee/contract/entities/card'
import type { Movie } from '@marquee/contract/entities/movie'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '#web/i18n/texts.ts'

import { linkStyle } from '#web/ui/classes.ts'

import { feedCache } from '../feed/feed-cache.ts'
import { focusCard } from '../feed/far-pages.ts'
import { cardElementId } from '../feed/feed-pages.ts'
import { movieMatch } from './catalogue.ts'

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
  return new Intl.DateTimeFormat('en', { month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) }).format(date)
}

/** Says that a movie is already in the watchlist. Who put it into the box stays secret. */
export function AlreadyHere({ watchlistId, title, movie }: { watchlistId: string; title: string; movie: Movie }) {
  const { t } = useTranslation('moviecard')
  const feed = feedCache(useQueryClient(), watchlistId)
  const [now] = useState(() => new Date())
  const { data } = useQuery(movieMatch(watchlistId, title, movie))
  const card = data?.inFeed ?? undefined
  const inFeed = card && IN_FEED[card.status]
  const sentence = card && inFeed ? t(inFeed, { month: monthText(card.statusChangedAt, now) }) : ''
  // A card further down is not on the page yet.
  const isLoaded = card !== undefined && feed.find(card.cardId) !== undefined
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the reset of a form replaces the content of an output element
    <div role="status" className="text-sm empty:hidden">
      {card && inFeed && <Note>{isLoaded ? <CardLink cardId={card.cardId}>{sentence}</CardLink> : sentence}</Note>}
      {card === undefined && data?.isInBox === true && <Note>{t('match.inBox')}</Note>}
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
