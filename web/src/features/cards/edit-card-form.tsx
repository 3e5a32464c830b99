import type { Card } from '@marquee/contract/entities/card'
import { useTranslation } from 'react-i18next'

import { announce } from '#web/ui/live-region.tsx'

import { useEditCard } from './changes.ts'
import { MovieForm } from './movie-form.tsx'
import { editMovieBody, EMPTY_MOVIE } from './movie-values.ts'

const SOURCES = ['keep', 'url', 'file'] as const

/** Changes what stands on a card; its poster stays unless another is given. */
export function EditCardForm({ card, onClose }: { card: Card; onClose: () => void }) {
  const { t } = useTranslation('moviecard')
  const { mutateAsync: edit } = useEditCard(card.watchlistId)
  return (
    <MovieForm
      heading={t('editCard.heading')}
      submitLabel={t('editCard.save')}
      failureText={t('errors.editFailed')}
      defaults={{ ...EMPTY_MOVIE, title: card.title, description: card.description ?? '', imageSource: 'keep' }}
      sources={SOURCES}
      offersReveal={false}
      takesFocus
      onSend={async (values, watch) => {
        const edited = await edit({ cardId: card.id, body: editMovieBody(values), ...watch })
        announce(t('editCard.saved', { title: edited.title }))
        onClose()
      }}
      onCancel={onClose}
    />
  )
}
