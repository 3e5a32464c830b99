import type { Card } from '@marquee/contract/entities/card'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useDraft } from '#web/session/drafts.ts'
import { announce } from '#web/ui/live-region.tsx'

import { useEditCard } from './mutations.ts'
import { cardDraftPlace, readMovieDraft, writeMovieDraft } from './movie-draft.ts'
import { MovieForm } from './movie-form.tsx'
import { editMovieBody, EMPTY_MOVIE, type ImageSource } from './movie-values.ts'

const SOURCES = ['keep', 'url', 'file'] as const

type EditCardFormProps = {
  card: Card
  /** The choice for the image when the form opens. */
  imageSource?: ImageSource
  onClose: () => void
}

/** Edits a card. Its poster stays unless another one is given. The draft survives a reload. */
export function EditCardForm({ card, imageSource = 'keep', onClose }: EditCardFormProps) {
  const { t } = useTranslation('moviecard')
  const draft = useDraft(cardDraftPlace(card.id))
  const [wasBegunEarlier] = useState(() => draft.read() !== undefined)
  const { mutateAsync: edit } = useEditCard(card.watchlistId)
  return (
    <MovieForm
      heading={t('editCard.heading')}
      submitLabel={t('editCard.save')}
      action="edit"
      defaults={{
        ...EMPTY_MOVIE,
        title: card.title,
        description: card.description ?? '',
        imageSource,
        ...readMovieDraft(draft),
      }}
      sources={SOURCES}
      offersReveal={false}
      takesFocus={!wasBegunEarlier}
      onChange={(values) => writeMovieDraft(draft, values)}
      onSend={async (values, watch) => {
        const edited = await edit({ cardId: card.id, body: editMovieBody(values), ...watch })
        draft.clear()
        announce(t('editCard.saved', { title: edited.title }))
        onClose()
      }}
      onCancel={() => {
        draft.clear()
        onClose()
      }}
    />
  )
}
