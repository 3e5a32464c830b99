import type { Card } from '@marquee/contract/entities/card'
import { ChevronDown } from 'lucide-react'
import type { Ref } from 'react'

import { dayText } from '#web/i18n/dates.ts'
import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { classes } from '#web/ui/classes.ts'
import { MoviePoster } from '#web/ui/movie-poster.tsx'

import { CARD_LOOK } from './card-look.tsx'

type CardRowProps = { ref: Ref<HTMLButtonElement>; titleId: string; card: Card; onOpen: () => void }

/** A movie that was watched or rejected, in one row. It opens in place. */
export function CardRow({ ref, titleId, card, onOpen }: CardRowProps) {
  const { t } = useTranslation('moviecard')
  const factsText = useFactsText()
  const { Icon, ink } = CARD_LOOK[card.status]
  const facts = factsText({ ...card.movie, genres: [], directors: [] })
  return (
    <div className="relative flex items-center gap-3 p-2 pe-3">
      <MoviePoster card={card} className="w-12 shrink-0 sm:w-14" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <h3 id={titleId} className="line-clamp-2 text-lg">
          <button
            ref={ref}
            type="button"
            aria-expanded={false}
            onClick={onOpen}
            className="text-start -outline-offset-2 after:absolute after:inset-0 after:rounded-panel focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            <bdi>{card.title}</bdi>
          </button>
        </h3>
        <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
          <Icon aria-hidden className={classes('size-4 shrink-0', ink)} />
          <span className="font-semibold text-text">{t(`status.${card.status}`)}</span>
          <time dateTime={card.statusChangedAt}>{dayText(card.statusChangedAt)}</time>
          {facts !== '' && <span className="min-w-0 truncate">{facts}</span>}
        </p>
      </div>
      <ChevronDown aria-hidden className="size-5 shrink-0 text-muted" />
    </div>
  )
}
