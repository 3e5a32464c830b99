import type { Card } from '@marquee/contract/entities/card'
import { listText, useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { dayText } from '#web/i18n/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

import { MoviePoster } from '#web/ui/movie-poster.tsx'

import { ServersOfCard } from '../servers/lazy-servers.tsx'
import { CardWhere } from '../where/card-where.tsx'
import { StatusIcon } from './status-icon.tsx'
import { useStatusText } from './movie-texts.ts'

/** All about one movie of the library. */
export function MovieDetails({ card, onClose }: { card: Card; onClose: () => void }) {
  const { t } = useTranslation('watchlist')
  const statusText = useStatusText()
  const factsText = useFactsText()
  const { title, description, movie, creatorId, createdAt, statusChangedAt } = card
  const facts = factsText({ ...card.movie, directors: [] })
  const { directors = [], originalTitle = null } = movie ?? {}
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={facts === '' ? undefined : facts}
      actions={
        <Button tone="quiet" onClick={onClose}>
          {t('library.close')}
        </Button>
      }
    >
      <div className="mt-4 flex items-start gap-4">
        <MoviePoster card={card} className="w-32 shrink-0" />
        <div className="flex min-w-0 flex-col gap-2 text-sm">
          {originalTitle !== null && originalTitle !== title && (
            <p>{t('library.originalTitle', { title: originalTitle })}</p>
          )}
          {directors.length > 0 && <p>{t('library.directedBy', { names: listText(directors) })}</p>}
          <p className="flex items-start gap-1.5">
            <span className="flex h-5 items-center">
              <StatusIcon status={card.status} />
            </span>
            {t('library.changedOn', {
              status: statusText(card.status),
              date: dayText(statusChangedAt),
            })}
          </p>
          <p className="text-muted">{t('library.added', { user: creatorId, date: dayText(createdAt) })}</p>
        </div>
      </div>
      <div className="mt-4 empty:hidden">
        <CardWhere card={card} />
        <ServersOfCard card={card} />
      </div>
      {description !== null && <p className="mt-4 max-h-60 overflow-y-auto whitespace-pre-line">{description}</p>}
    </Dialog>
  )
}
