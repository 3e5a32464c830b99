import type { Card } from '@marquee/contract/entities/card'
import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH, MOVIE_DESCRIPTION_ROWS } from '@marquee/contract/limits'
import { type Ref, useId } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'

import { isApiError } from '#web/api/api-error.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import {
  addMovieBody,
  type AddMovieFault,
  addMovieFault,
  type AddMovieValues,
  EMPTY_MOVIE,
  INVALID_URL,
  urlToCheck,
} from './add-movie-values.ts'
import { ImageChoice } from './image-choice.tsx'
import { isImageAt, useAddCard } from './queries.ts'

const MAX_LENGTH: Partial<Record<AddMovieFault['key'], number>> = {
  titleTooLong: MAX_CARD_TITLE_LENGTH,
  descriptionTooLong: MAX_CARD_DESCRIPTION_LENGTH,
}

async function findFault(values: AddMovieValues): Promise<AddMovieFault | undefined> {
  const fault = addMovieFault(values)
  if (fault !== undefined) return fault
  const url = urlToCheck(values)
  return url === undefined || (await isImageAt(url)) ? undefined : INVALID_URL
}

type AddMovieFormProps = {
  ref?: Ref<HTMLFormElement>
  watchlistId: string
  /** Called with the new card; the form is to be closed then. */
  onAdded: (card: Card) => void
  onCancel?: () => void
}

/** A new movie for the box, or for the feed right away (spec section 2, "Add-movie form"). */
export function AddMovieForm({ ref, watchlistId, onAdded, onCancel }: AddMovieFormProps) {
  const { t } = useTranslation('moviecard')
  const headingId = useId()
  const add = useAddCard(watchlistId)
  const form = useForm<AddMovieValues>({ defaultValues: EMPTY_MOVIE })
  const { register, handleSubmit, setError, reset, formState } = form
  const { errors } = formState

  const submit = handleSubmit(async (values) => {
    const fault = await findFault(values)
    if (fault !== undefined) {
      const message = t(`errors.${fault.key}`, { max: MAX_LENGTH[fault.key] })
      setError(fault.field, { message }, { shouldFocus: true })
      return
    }
    add.mutate(addMovieBody(values), {
      onSuccess: (card) => {
        reset()
        onAdded(card)
      },
    })
  })

  return (
    <FormProvider {...form}>
      <form
        ref={ref}
        noValidate
        onSubmit={submit}
        aria-labelledby={headingId}
        className="flex flex-col gap-5 rounded-panel border border-line bg-surface p-4 sm:p-5"
      >
        <h3 id={headingId} className="text-xl">
          {t('form.heading')}
        </h3>
        <TextField
          label={t('form.title')}
          required
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens where its button was pressed
          autoFocus
          error={errors.title?.message}
          {...register('title')}
        />
        <TextArea
          label={t('form.description')}
          hint={t('form.descriptionHint')}
          rows={MOVIE_DESCRIPTION_ROWS}
          error={errors.description?.message}
          {...register('description')}
        />
        <ImageChoice />
        <Checkbox label={t('form.reveal')} hint={t('form.revealHint')} {...register('revealImmediately')} />
        {add.isError && (
          <Banner tone="error">
            <p>{t('errors.addFailed')}</p>
            {isApiError(add.error, 'BAD_REQUEST') && <p className="text-sm">{add.error.message}</p>}
          </Banner>
        )}
        <div className="flex flex-wrap gap-3">
          <Button tone="primary" type="submit" busy={formState.isSubmitting || add.isPending}>
            {t('form.submit')}
          </Button>
          {onCancel !== undefined && (
            <Button tone="quiet" disabled={add.isPending} onClick={onCancel}>
              {t('form.cancel')}
            </Button>
          )}
        </div>
      </form>
    </FormProvider>
  )
}
