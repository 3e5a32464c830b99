import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH, MOVIE_DESCRIPTION_ROWS } from '@marquee/contract/limits'
import { linkIn } from '@marquee/contract/rules/link'
import { type Ref, useId, useRef, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Progress } from '#web/ui/progress.tsx'
import { TextArea, TextField } from '#web/ui/text-field.tsx'

import { CardFailure } from '../card-failure.tsx'
import type { Watch } from '../mutations.ts'
import { isImageAt } from '../queries.ts'
import { AlreadyHere } from './already-here.tsx'
import { FACT_LIMITS, Facts } from './facts.tsx'
import { ImageChoice } from './image-choice.tsx'
import { MovieSearch } from './movie-search.tsx'
import {
  factsFault,
  filledIn,
  type FoundMovie,
  type ImageSource,
  INVALID_URL,
  type MovieFault,
  movieFault,
  movieOf,
  type MovieValues,
  urlToCheck,
} from './movie-values.ts'

const MAX_LENGTH: Partial<Record<MovieFault['key'], number>> = {
  titleTooLong: MAX_CARD_TITLE_LENGTH,
  descriptionTooLong: MAX_CARD_DESCRIPTION_LENGTH,
}

async function findFault(values: MovieValues): Promise<MovieFault | undefined> {
  const fault = movieFault(values)
  if (fault !== undefined) return fault
  const url = urlToCheck(values)
  return url === undefined || (await isImageAt(url)) ? factsFault(values) : INVALID_URL
}

export type MovieFormProps = {
  ref?: Ref<HTMLFormElement> | undefined
  heading: string
  submitLabel: string
  action: 'add' | 'edit'
  defaults: MovieValues
  sources: readonly ImageSource[]
  /** The watchlist for which the form begins with a search in the movie catalogue. */
  searchFor?: string | undefined
  /** What the search begins with. */
  shared?: string
  /** Offers to reveal the movie at once. */
  offersReveal: boolean
  takesFocus: boolean
  /** Called with each change. `movie` has the facts as they were edited. */
  onChange?: (values: MovieValues) => void
  /** Sends valid values. */
  onSend: (values: MovieValues, watch: Watch) => Promise<void>
  onCancel?: (() => void) | undefined
  /** The user wants a movie that is in the box already, and adds none. */
  onWanted?: (title: string) => void
}

type Sending = { sent: number; giveUp: () => void }

/** Title, description, poster and facts of a movie. */
export function MovieForm(props: MovieFormProps) {
  const {
    ref,
    heading,
    submitLabel,
    action,
    defaults,
    sources,
    offersReveal,
    searchFor,
    shared = '',
    takesFocus,
  } = props
  const { onChange, onSend, onCancel, onWanted } = props
  const { t } = useTranslation('moviecard')
  const headingId = useId()
  const form = useForm<MovieValues>({ defaultValues: defaults })
  const { register, handleSubmit, setError, setFocus, setValue, getValues, reset, formState } = form
  const { errors, isSubmitting } = formState
  const [failure, setFailure] = useState<{ error: unknown }>()
  const [sending, setSending] = useState<Sending>()
  const [found, setFound] = useState<FoundMovie>()
  // Details arrive in a later render than that of the choice.
  const lastFound = useRef<FoundMovie>(undefined)
  const submitButton = useRef<HTMLButtonElement>(null)

  const send = async (values: MovieValues) => {
    const stop = new AbortController()
    const show = (sent: number) => setSending({ sent, giveUp: () => stop.abort() })
    const isUpload = values.imageSource === 'file'
    if (isUpload) show(0)
    try {
      await onSend(values, isUpload ? { signal: stop.signal, onProgress: show } : {})
      reset()
    } catch (error) {
      if (!stop.signal.aborted) setFailure({ error })
    }
    setSending(undefined)
  }
  const reportChange = () => {
    const values = getValues()
    onChange?.({ ...values, movie: movieOf(values) })
  }
  const fillIn = (movie: FoundMovie, isMore = false) => {
    reset(filledIn(getValues(), movie, { before: lastFound.current, isMore }), { keepDefaultValues: true })
    lastFound.current = movie
    setFound(movie)
    setFailure(undefined)
    reportChange()
  }
  const chooseMovie = (movie: FoundMovie, isMore: boolean) => {
    fillIn(movie, isMore)
    const { imageUrl, imageFile } = getValues()
    // While the movie was read, the user may have gone elsewhere.
    const isSearching = document.activeElement?.getAttribute('role') === 'combobox'
    if (isSearching && (imageUrl !== '' || imageFile !== '')) focusSoon(submitButton)
  }
  const continueByHand = (typed: string) => {
    if (linkIn(typed) === undefined) fillIn({ title: typed, description: null, posterUrl: null, movie: null })
    else if (getValues('description') === '') setValue('description', typed)
    reportChange()
    // After a reset the form knows its fields again once they are rendered.
    requestAnimationFrame(() => setFocus('title'))
  }
  const submit = handleSubmit(async (values) => {
    setFailure(undefined)
    const fault = await findFault(values)
    if (fault === undefined) {
      await send(values)
      return
    }
    const message = t(`errors.${fault.key}`, { max: MAX_LENGTH[fault.key], ...FACT_LIMITS })
    setError(fault.field, { message }, { shouldFocus: true })
  })

  return (
    <FormProvider {...form}>
      <form
        ref={ref}
        noValidate
        onSubmit={submit}
        onChange={reportChange}
        aria-labelledby={headingId}
        className="flex flex-col gap-5 rounded-panel border border-line bg-surface p-4 sm:p-5"
      >
        <h3 id={headingId} className="text-xl">
          {heading}
        </h3>
        {searchFor !== undefined && (
          <MovieSearch begin={shared} takesFocus={takesFocus} onFound={chooseMovie} onByHand={continueByHand} />
        )}
        <TextField
          label={t('form.title')}
          required
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens where its button was pressed
          autoFocus={takesFocus && searchFor === undefined}
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
        <ImageChoice sources={sources} />
        <Facts
          onRemove={() => {
            setValue('movie', null)
            reportChange()
            setFocus('title')
          }}
        />
        {offersReveal && (
          <Checkbox label={t('form.reveal')} hint={t('form.revealHint')} {...register('revealImmediately')} />
        )}
        {searchFor !== undefined && found?.movie && (
          <AlreadyHere watchlistId={searchFor} title={found.title} movie={found.movie} onWanted={onWanted} />
        )}
        {failure !== undefined && <CardFailure action={action} error={failure.error} />}
        {sending !== undefined && <UploadProgress sent={sending.sent} />}
        <div className="flex flex-wrap gap-3">
          <Button ref={submitButton} tone="primary" type="submit" busy={isSubmitting}>
            {submitLabel}
          </Button>
          <CancelButton sending={sending} isSubmitting={isSubmitting} onCancel={onCancel} />
        </div>
      </form>
    </FormProvider>
  )
}

type CancelButtonProps = Pick<MovieFormProps, 'onCancel'> & { sending: Sending | undefined; isSubmitting: boolean }

/** Closes the form. During an upload, stops it instead, until all of it is sent. */
function CancelButton({ sending, isSubmitting, onCancel }: CancelButtonProps) {
  const { t } = useTranslation('moviecard')
  if (sending !== undefined) {
    if (sending.sent >= 1) return null
    return (
      <Button tone="quiet" onClick={sending.giveUp}>
        {t('form.cancelUpload')}
      </Button>
    )
  }
  if (onCancel === undefined) return null
  return (
    <Button tone="quiet" disabled={isSubmitting} onClick={onCancel}>
      {t('form.cancel')}
    </Button>
  )
}

function UploadProgress({ sent }: { sent: number }) {
  const { t } = useTranslation('moviecard')
  const isSent = sent >= 1
  return (
    <Progress
      label={isSent ? t('form.processing') : t('form.uploading', { percent: Math.floor(sent * 100) })}
      value={isSent ? undefined : sent}
    />
  )
}
