import type { Card } from '@marquee/contract/entities/card'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'

import { useReadAgain } from '#web/api/read-again.ts'
import { dayText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useDraft } from '#web/session/drafts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { focusSoon, useFocusLostByRemoval } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { announce } from '#web/ui/live-region.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { CardFailureText } from '../card-failure.tsx'
import { Poster } from '../card/poster.tsx'
import { cardDraftPlace } from '../form/draft-places.ts'
import { cardKeys, suggestions } from '../queries.ts'
import { WantList } from './want-list.tsx'
import { DeleteCardDialog } from '../card/lazy-delete-dialog.tsx'
import { EditCardForm } from '../form/lazy-forms.tsx'

/** The user's own cards in the box, which they can edit or withdraw, and the movies of others that they want, too. */
export function SuggestionList({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('moviecard')
  const place = useRef<HTMLDivElement>(null)
  const query = useInfiniteQuery(suggestions(watchlistId))
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query
  useReadAgain(watchlistId, cardKeys.suggestions(watchlistId), (kind) => kind === 'box-changed')
  const cards = data?.pages.flatMap((page) => page.cards) ?? []
  const wantCount = data?.pages[0]?.wantCount ?? 0
  const focusList = useCallback(() => focusSoon(place), [])
  useFocusLostByRemoval(cards.length + wantCount, focusList)
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-3 focus:outline-none">
      {data === undefined && error === null && <Skeleton className="h-48" />}
      {data !== undefined && (
        <p className="text-muted">{cards.length > 0 ? t('suggestions.hint') : t('suggestions.none')}</p>
      )}
      <ul
        aria-label={t('suggestions.title')}
        className="flex flex-col divide-y divide-line rounded-panel border border-line bg-surface px-4 empty:hidden"
      >
        {cards.map((card) => (
          <Suggestion
            key={card.id}
            card={card}
            onWithdrawn={() => announce(t('suggestions.withdrawn', { title: card.title }))}
          />
        ))}
      </ul>
      {error !== null && (
        <RetryBanner query={query}>
          <CardFailureText action="load" error={error} />
        </RetryBanner>
      )}
      {hasNextPage && (
        <ShowMore size="small" className="self-start" busy={isFetching} onMore={fetchNextPage}>
          {t('suggestions.more')}
        </ShowMore>
      )}
      {wantCount > 0 && <WantList watchlistId={watchlistId} onFocusLost={focusList} />}
    </div>
  )
}

function Suggestion({ card, onWithdrawn }: { card: Card; onWithdrawn: () => void }) {
  const { t } = useTranslation('moviecard')
  const { title } = card
  const edit = useRef<HTMLButtonElement>(null)
  const withdraw = useRef<HTMLButtonElement>(null)
  const draft = useDraft(cardDraftPlace(card.id))
  const [step, setStep] = useState<'shown' | 'editing' | 'withdrawing'>(() =>
    draft.read() === undefined ? 'shown' : 'editing',
  )
  if (step === 'editing') {
    return (
      <li className="py-3">
        <EditCardForm
          card={card}
          onClose={() => {
            setStep('shown')
            focusSoon(edit)
          }}
        />
      </li>
    )
  }
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="w-10 shrink-0">
        <Poster card={card} />
      </div>
      <div className="min-w-0 flex-1">
        <p className="font-display leading-tight font-semibold">
          <bdi>{title}</bdi>
        </p>
        <p className="text-sm text-muted">{t('suggestions.since', { date: dayText(card.statusChangedAt) })}</p>
      </div>
      <IconButton
        ref={edit}
        aria-label={t('suggestions.edit', { title })}
        icon={<Pencil aria-hidden />}
        onClick={() => setStep('editing')}
      />
      <IconButton
        ref={withdraw}
        aria-label={t('suggestions.withdraw', { title })}
        icon={<Trash2 aria-hidden />}
        onClick={() => setStep('withdrawing')}
      />
      {step === 'withdrawing' && (
        <DeleteCardDialog
          card={card}
          onDeleted={onWithdrawn}
          onCancel={() => {
            setStep('shown')
            focusSoon(withdraw)
          }}
        />
      )}
    </li>
  )
}
