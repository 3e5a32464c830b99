import type { Card } from '@marquee/contract/entities/card'
import type { CardViewings } from '@marquee/contract/entities/viewing'

import { useTranslation } from '#web/i18n/texts.ts'
import { KEPT } from '#web/api/kept.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useWaiting } from '#web/offline/outbox/waiting.ts'
import { announce } from '#web/ui/live-region.tsx'

import { cardFailure } from '../card-failure.tsx'
import '../lazy-texts.ts'
import { useSaveViewing, type ViewingBody } from './mutations.ts'
import { StarText } from './star-text.tsx'
import { ViewingForm } from './viewing-form.tsx'

type ViewingPanelProps = {
  card: Pick<Card, 'id' | 'watchlistId' | 'title'>
  viewings: CardViewings | undefined
  onClose: () => void
}

/** The rating of the user that the server does not know yet. */
function useWaitingRating(cardId: string): ViewingBody | undefined {
  const bodies = useWaiting(cardId).flatMap(({ state, action }) =>
    state !== 'refused' && action.kind === 'viewing' && Object.keys(action.body).length > 0 ? [action.body] : [],
  )
  return bodies.at(-1)
}

/** The ratings of others, if the user may see them, and the user's own. */
export function ViewingPanel({ card, viewings, onClose }: ViewingPanelProps) {
  const { t } = useTranslation('moviecard')
  const { mutate, isPending, error } = useSaveViewing({ watchlistId: card.watchlistId, cardId: card.id }, card.title)
  const own = viewings?.own ?? null
  const waiting = useWaitingRating(card.id)
  const others = viewings?.ratings?.others ?? []
  const save = (body: ViewingBody | undefined) => {
    mutate(body, {
      onSuccess: (saved) => {
        if (saved !== KEPT) announce(t(body === undefined ? 'seen.removed' : 'seen.saved', { title: card.title }))
        onClose()
      },
    })
  }
  return (
    <>
      {others.length > 0 && (
        <ul aria-label={t('seen.others')} className="flex flex-col gap-1.5 text-sm">
          {others.map(({ username, stars, note }) => (
            <li key={username} className="flex flex-wrap gap-x-2 wrap-anywhere">
              <span className="font-semibold">{username}</span>
              {stars === null ? <span className="text-muted">{t('seen.noRating')}</span> : <StarText stars={stars} />}
              {note !== null && <span className="text-muted">{note}</span>}
            </li>
          ))}
        </ul>
      )}
      <CallFailureBanner what={t('seen.failed')} kind={cardFailure('edit', error)} error={error} />
      <ViewingForm rating={waiting ?? own} isSeen={own !== null} isBusy={isPending} onSave={save} onClose={onClose} />
    </>
  )
}
