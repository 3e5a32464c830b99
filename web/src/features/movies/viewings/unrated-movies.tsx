import type { NightFilm } from '@marquee/contract/entities/night'
import type { CardViewings } from '@marquee/contract/entities/viewing'
import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useWaiting } from '#web/offline/outbox/waiting.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon, useFocusLost } from '#web/ui/focus.ts'
import { Panel } from '#web/ui/panel.tsx'

import { cardFailure } from '../card-failure.tsx'
import '../lazy-texts.ts'
import { useSaveViewing } from './mutations.ts'
import { viewingsOfCard } from './queries.ts'
import { ViewingPanel } from './viewing-panel.tsx'

type UnratedMoviesProps = {
  watchlistId: string
  movies: readonly Pick<NightFilm, 'cardId' | 'title'>[]
  onFocusLost: () => void
}

/** Asks for the ratings of movies that the user watched in movie nights. */
export function UnratedMovies({ watchlistId, movies, onFocusLost }: UnratedMoviesProps) {
  return movies.map(({ cardId, title }) => (
    <UnratedMovie key={cardId} card={{ id: cardId, watchlistId, title }} onFocusLost={onFocusLost} />
  ))
}

type UnratedMovieProps = { card: { id: string; watchlistId: string; title: string }; onFocusLost: () => void }

function UnratedMovie({ card, onFocusLost }: UnratedMovieProps) {
  const { data } = useQuery(viewingsOfCard({ watchlistId: card.watchlistId, cardId: card.id }))
  const waits = useWaiting(card.id).some(({ action, state }) => action.kind === 'viewing' && state !== 'refused')
  // Rated, declined or not seen after all, here or elsewhere, since the list was read.
  if (waits || (data && (data.own === null || data.ratings !== null))) return null
  return <Question card={card} viewings={data ?? undefined} onFocusLost={onFocusLost} />
}

function Question({ card, viewings, onFocusLost }: UnratedMovieProps & { viewings: CardViewings | undefined }) {
  const { t } = useTranslation('moviecard')
  const panelId = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const row = useFocusLost(onFocusLost)
  const decline = useSaveViewing({ watchlistId: card.watchlistId, cardId: card.id }, card.title)
  return (
    <Panel ref={row} aria-label={t('unrated.ask', { title: card.title })} className="flex flex-col gap-3 py-3!">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 wrap-anywhere">{t('unrated.ask', { title: card.title })}</p>
        <div className="flex flex-wrap gap-2">
          <Button
            ref={button}
            tone="quiet"
            size="small"
            icon={<Star aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={isOpen ? panelId : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            {t('seen.rate')}
          </Button>
          <Button tone="quiet" size="small" busy={decline.isPending} onClick={() => decline.mutate({})}>
            {t('seen.noRating')}
          </Button>
        </div>
      </div>
      <CallFailureBanner what={t('seen.failed')} kind={cardFailure('edit', decline.error)} error={decline.error} />
      {isOpen && (
        <div id={panelId} className="flex flex-col gap-3">
          <ViewingPanel
            card={card}
            viewings={viewings}
            onClose={() => {
              setOpen(false)
              focusSoon(button)
            }}
          />
        </div>
      )}
    </Panel>
  )
}
