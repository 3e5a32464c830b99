import type { Card } from '@marquee/contract/entities/card'
import { linkIn } from '@marquee/contract/rules/link'
import { type Ref, useState } from 'react'

import { features } from '#web/config.ts'
import { type Draft, useDraft } from '#web/drafts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { announce } from '#web/ui/live-region.tsx'

import '../lazy-texts.ts'
import { useAddCard, useEditCard } from '../mutations.ts'
import { factsValues } from './facts-values.ts'
import { movieDraftPlace, readMovieDraft, writeMovieDraft, cardDraftPlace } from './movie-draft.ts'
import { MovieForm } from './movie-form.tsx'
import { addMovieBody, EMPTY_MOVIE, editMovieBody, type ImageSource, type MovieValues } from './movie-values.ts'

/** What the form begins with. */
function withDraft(values: MovieValues, draft: Draft): MovieValues {
  const begun = { ...values, ...readMovieDraft(draft) }
  return { ...begun, facts: factsValues(begun.movie) }
}

const ADD_SOURCES = ['url', 'file'] as const

type AddMovieFormProps = {
  ref?: Ref<HTMLFormElement>
  watchlistId: string
  takesFocus?: boolean
  /** What another app shared. */
  shared?: string | undefined
  /** Called with the new card. The caller closes the form. */
  onAdded: (card: Card) => void
  onCancel?: () => void
}

/** Adds a movie to the box, or to the feed at once. The draft survives a reload, but not a chosen file. */
export function AddMovieForm({
  ref,
  watchlistId,
  takesFocus = true,
  shared = '',
  onAdded,
  onCancel,
}: AddMovieFormProps) {
  const { t } = useTranslation('moviecard')
  const draft = useDraft(movieDraftPlace(watchlistId))
  const { mutateAsync: add } = useAddCard(watchlistId)
  const close = () => {
    draft.clear()
    onCancel?.()
  }
  return (
    <MovieForm
      ref={ref}
      heading={t('form.heading')}
      submitLabel={t('form.submit')}
      action="add"
      defaults={withDraft(features().catalogue ? EMPTY_MOVIE : withText(shared), draft)}
      sources={ADD_SOURCES}
      offersReveal
      searchFor={features().catalogue ? watchlistId : undefined}
      shared={shared}
      takesFocus={takesFocus}
      onChange={(values) => writeMovieDraft(draft, values)}
      onSend={async (values, watch) => {
        const card = await add({ body: addMovieBody(values), ...watch })
        draft.clear()
        onAdded(card)
      }}
      onWanted={(title) => {
        announce(t('match.wanted', { title }))
        close()
      }}
      onCancel={onCancel === undefined ? undefined : close}
    />
  )
}

/** What another app shared, where there is no search to take it: a link goes into the description. */
function withText(text: string): MovieValues {
  return linkIn(text) === undefined ? { ...EMPTY_MOVIE, title: text } : { ...EMPTY_MOVIE, description: text }
}

function valuesOf({ title, description, movie }: Card): MovieValues {
  return { ...EMPTY_MOVIE, title, description: description ?? '', movie: movie ?? null }
}

const EDIT_SOURCES = ['keep', 'url', 'file'] as const

type EditCardFormProps = {
  card: Card
  /** The image source when the form opens. */
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
      defaults={withDraft({ ...valuesOf(card), imageSource }, draft)}
      sources={EDIT_SOURCES}
      offersReveal={false}
      takesFocus={!wasBegunEarlier}
      onChange={(values) => writeMovieDraft(draft, values)}
      onSend={async (values, watch) => {
        const edited = await edit({ cardId: card.id, body: editMovieBody(values, card.movie), ...watch })
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
