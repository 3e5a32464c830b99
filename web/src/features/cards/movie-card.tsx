import type { Card } from '@marquee/contract/entities/card'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import { Avatar } from '#web/ui/avatar.tsx'
import { classes } from '#web/ui/classes.ts'

import { CardDescription } from './card-description.tsx'
import { CardHistory } from './card-history.tsx'
import { CARD_LOOK } from './card-look.ts'
import { CardMoves } from './card-moves.tsx'
import { Poster } from './poster.tsx'

export type MovieCardProps = {
  card: Card
  isMember: boolean
  onMoved: (card: Card) => void
}

/** One movie of the feed (spec section 2, "Movie card"). */
export function MovieCard({ card, isMember, onMoved }: MovieCardProps) {
  const { t } = useTranslation('moviecard')
  const titleId = useId()
  const article = useRef<HTMLElement>(null)
  const wasMovedHere = useRef(false)
  const look = CARD_LOOK[card.status]

  // The pressed button is gone and the card stands elsewhere: the focus goes with the card.
  useEffect(() => {
    if (wasMovedHere.current) article.current?.focus()
    wasMovedHere.current = false
  }, [card.status])

  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-labelledby={titleId}
      className={classes('flex flex-col gap-4 rounded-panel border p-3 sm:flex-row sm:gap-5 sm:p-4', look.card)}
    >
      <div className="sm:w-42 sm:shrink-0 md:w-48">
        <Poster src={card.imageUrl} title={card.title} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="flex items-start justify-between gap-4">
          <div className="flex min-h-7 min-w-0 flex-1 basis-28 items-center gap-2 text-sm text-muted pointer-coarse:min-h-11">
            <Avatar name={card.creatorId} size="small" />
            <span className="min-w-0">{t('card.addedBy', { user: card.creatorId })}</span>
          </div>
          <CardHistory changes={card.statusChanges} />
        </div>
        <div>
          <p className="mb-0.5 flex items-center gap-1.5 text-sm font-semibold">
            <look.Icon aria-hidden className={classes('size-4', look.ink)} />
            {t(`status.${card.status}`)}
          </p>
          <h3 id={titleId} className="text-2xl sm:text-3xl">
            {card.title}
          </h3>
        </div>
        <CardDescription text={card.description} />
        {isMember && (
          <div className="mt-auto pt-1">
            <CardMoves
              card={card}
              onMoved={(moved) => {
                wasMovedHere.current = true
                onMoved(moved)
              }}
            />
          </div>
        )}
      </div>
    </article>
  )
}
