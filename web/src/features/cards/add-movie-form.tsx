import type { Card } from '@marquee/contract/entities/card'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'

import { useDraft } from '#web/session/drafts.ts'

import { useAddCard } from './mutations.ts'
import { movieDraftPlace, readMovieDraft, writeMovieDraft } from './movie-draft.ts'
import { MovieForm } from './movie-form.tsx'
import { addMovieBody, EMPTY_MOVIE } from './movie-values.ts'

const SOURCES = ['url', 'file'] as const

type AddMovieFormProps = {
  ref?: Ref<HTMLFormElement>
  watchlistId: string
  takesFocus?: boolean
  /** Called with the new card; the form is to be closed then. */
  onAdded: (card: Card) => void
  onCancel?: () => void
}

/** A new movie for the box, or for the feed right away. What is typed survives a reload, but for a chosen file. */
export function AddMovieForm({ ref, watchlistId, takesFocus = true, onAdded, onCancel }: AddMovieFormProps) {
  const { t } = useTranslation('moviecard')
  const draft = useDraft(movieDraftPlace(watchlistId))
  const { mutateAsync: add } = useAddCard(watchlistId)
  return (
    <MovieForm
      ref={ref}
      heading={t('form.heading')}
      submitLabel={t('form.submit')}
      action="add"
      defaults={{ ...EMPTY_MOVIE, ...readMovieDraft(draft) }}
      sources={SOURCES}
      offersReveal
      takesFocus={takesFocus}
      onChange={(values) => writeMovieDraft(draft, values)}
      onSend={async (values, watch) => {
        const card = await add({ body: addMovieBody(values), ...watch })
        draft.clear()
        onAdded(card)
      }}
      onCancel={
        onCancel === undefined
          ? undefined
          : () => {
              draft.clear()
              onCancel()
            }
      }
    />
  )
}
