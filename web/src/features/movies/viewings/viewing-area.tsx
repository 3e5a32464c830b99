import type { Card } from '@marquee/contract/entities/card'
import type { CardViewings } from '@marquee/contract/entities/viewing'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { useId, useRef, useState } from 'react'

import { listText } from '#web/i18n/movie-facts.ts'
import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

import { WaitingAt } from '../waiting/lazy-waiting.tsx'
import { ViewingPanel } from './lazy-panel.tsx'
import { viewingsOfCard } from './queries.ts'
import { StarText } from './star-text.tsx'

const NightLine = lazyPart({
  load: async () => (await import('./night-line.tsx')).NightLine,
  Loading: () => <div className="h-5" />,
  Failed: () => null,
})

const ServerMark = lazyPart({
  load: async () => (await import('./server-mark.tsx')).ServerMark,
  Loading: () => <div className="-mt-2 h-9 pointer-coarse:h-11" />,
  Failed: () => null,
})

/** More names are only counted. */
const NAMES = 3

type ViewingAreaProps = { card: Pick<Card, 'id' | 'watchlistId' | 'title'>; username: string }

/** Who has seen a movie and how they rate it: one line, and a panel that opens below it. */
export function ViewingArea({ card, username }: ViewingAreaProps) {
  const { t } = useTranslation('moviecard')
  const panelId = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { data } = useQuery(viewingsOfCard({ watchlistId: card.watchlistId, cardId: card.id }))
  const viewings = data ?? undefined
  const close = () => {
    setOpen(false)
    focusSoon(button)
  }

  return (
    <section aria-label={t('seen.area', { title: card.title })} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          ref={button}
          tone="quiet"
          size="small"
          icon={<Star aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelId : undefined}
          onClick={() => setOpen(!isOpen)}
          className="-ms-3 border-transparent text-muted"
        >
          {t(labelOf(viewings))}
        </Button>
        {viewings && <Summary viewings={viewings} username={username} />}
      </div>
      <WaitingAt place={card.id} kind="viewing" />
      {viewings?.night && <NightLine night={viewings.night} />}
      {typeof viewings?.markedBy === 'string' && (
        <ServerMark card={card} serverId={viewings.markedBy} onUndone={() => focusSoon(button)} />
      )}
      {isOpen && (
        <div id={panelId} className="flex flex-col gap-3 rounded-control border border-line p-3">
          <ViewingPanel card={card} viewings={viewings} onClose={close} />
        </div>
      )}
    </section>
  )
}

/** A mark of a movie night waits for a rating. */
function labelOf(viewings: CardViewings | undefined): 'seen.mark' | 'seen.rate' | 'seen.ratings' {
  if (!viewings?.own) return 'seen.mark'
  return viewings.ratings === null ? 'seen.rate' : 'seen.ratings'
}

/** Before the user has rated the movie or declined to, only who has seen it. */
function Summary({
  viewings: { own, ratings, seenBy, night },
  username,
}: {
  viewings: CardViewings
  username: string
}) {
  const { t } = useTranslation('moviecard')
  if (own === null || ratings === null) {
    // The line of the night has those who were there.
    const others = seenBy.filter((name) => !isSameUser(name, username) && !night?.watchedBy.includes(name))
    if (others.length === 0) return null
    const names = listText(others.slice(0, NAMES))
    const count = others.length - NAMES
    return (
      <p className="text-sm wrap-anywhere text-muted">
        {count > 0 ? t('seen.byMore', { names, count }) : t('seen.by', { names })}
      </p>
    )
  }
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-muted">
      <span>
        {own.stars === null ? (
          t('seen.byYou')
        ) : (
          <>
            {t('seen.you')} <StarText stars={own.stars} />
          </>
        )}
      </span>
      {ratings.average !== null && (
        <span>{t('seen.average', { average: numberText(ratings.average), count: ratings.count })}</span>
      )}
    </p>
  )
}
