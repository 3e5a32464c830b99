import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH, MOVIE_DESCRIPTION_ROWS } from '@marquee/contract/limits'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { FormProvider, useFormContext } from 'react-hook-form'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { Progress } from '#web/ui/progress.tsx'
import { TextArea, TextField } from '#web/ui/text-field.tsx'
import { useForm } from '#web/ui/use-form.ts'

import { CardFailure } from '../card-failure.tsx'
import type { Watch } from '../mutations.ts'
import { isImageAt } from '../queries.ts'
import { FACT_LIMITS, Facts } from './facts.tsx'
import { ImageChoice } from './image-choice.tsx'
import {
  factsFault,
  type ImageSource,
  INVALID_URL,
  type MovieFault,
  movieFault,
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
  heading: string
  submitLabel: string
  /** Another button is the main one. */
  isQuiet?: boolean
  action: 'add' | 'edit'
  defaults: MovieValues
  sources: readonly ImageSource[]
  /** Offers to reveal the movie at once. */
  offersReveal: boolean
  takesFocus: boolean
  /** Called with each change. */
  onChange?: (values: MovieValues) => void
  /** Sends valid values. */
  onSend: (values: MovieValues, watch: Watch) => Promise<void>
  onCancel?: (() => void) | undefined
  /** What is said above the fields. */
  note?: ReactNode
  /** Buttons before the one that sends. */
  before?: ReactNode
  /** It has a frame already, on a phone a sheet with its buttons at the bottom. */
  isInFrame?: boolean
  /** Something is being sent, by this form or beside it. */
  isBusy?: boolean
}

/** On a phone the buttons stay at the bottom of the sheet. */
const BAR_OF_SHEET =
  'bg-surface max-sm:sticky max-sm:-bottom-4 max-sm:-mb-4 max-sm:border-t max-sm:border-line max-sm:py-3'

type Sending = { sent: number; giveUp: () => void }

/** Title, description, poster and facts of a movie. */
export function MovieForm(props: MovieFormProps) {
  const { heading, submitLabel, isQuiet = false, action, defaults, offersReveal } = props
  const { onChange, onSend, onCancel, note, before, isInFrame = false, isBusy = false } = props
  const { t } = useTranslation('moviecard')
  const headingId = useId()
  const form = useForm<MovieValues>({ defaultValues: defaults })
  const { register, handleSubmit, setError, getValues, reset, formState } = form
  const { failure, sending, begin, send } = useSending(onSend)
  const [isReading, setReading] = useState(false)

  const reportChange = () => onChange?.(getValues())
  const submit = handleSubmit(async (values) => {
    begin()
    const fault = await findFault(values)
    if (fault === undefined) {
      if (await send(values)) reset()
      return
    }
    const message = t(`errors.${fault.key}`, { max: MAX_LENGTH[fault.key], ...FACT_LIMITS })
    setError(fault.field, { message }, { shouldFocus: true })
  })

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={submit}
        onChange={reportChange}
        aria-labelledby={headingId}
        className={classes(
          'flex flex-col gap-5',
          !isInFrame && 'rounded-panel border border-line bg-surface p-4 sm:p-5',
        )}
      >
        <h3 id={headingId} className="text-xl">
          {heading}
        </h3>
        {note}
        <MovieFields {...props} onFacts={reportChange} isReading={isReading} onReading={setReading} />
        {offersReveal && (
          <Checkbox label={t('form.reveal')} hint={t('form.revealHint')} {...register('revealImmediately')} />
        )}
        {failure !== undefined && <CardFailure action={action} error={failure.error} />}
        {sending !== undefined && <UploadProgress sent={sending.sent} />}
        <div className={classes('flex flex-wrap gap-3', isInFrame && BAR_OF_SHEET)}>
          {before}
          <Button
            tone={isQuiet ? 'quiet' : 'primary'}
            type="submit"
            busy={formState.isSubmitting || isReading}
            disabled={isBusy}
          >
            {submitLabel}
          </Button>
          <CancelButton sending={sending} isBusy={isBusy || formState.isSubmitting} onCancel={onCancel} />
        </div>
      </form>
    </FormProvider>
  )
}

type MovieFieldsProps = Pick<MovieFormProps, 'sources' | 'takesFocus'> &
  Omit<ComponentProps<typeof ImageChoice>, 'sources'> & { onFacts: () => void }

/** What the card shows of the movie. */
function MovieFields({ sources, takesFocus, onFacts, isReading, onReading }: MovieFieldsProps) {
  const { t } = useTranslation('moviecard')
  const { register, setFocus, setValue, formState } = useFormContext<MovieValues>()
  const { errors } = formState
  return (
    <>
      <TextField
        label={t('form.title')}
        required
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens where its button was pressed
        autoFocus={takesFocus}
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
      <ImageChoice sources={sources} isReading={isReading} onReading={onReading} />
      <Facts
        onChange={onFacts}
        onRemove={() => {
          setValue('movie', null)
          onFacts()
          setFocus('title')
        }}
      />
    </>
  )
}

/** Sends valid values. An upload shows its progress, and can be given up. */
function useSending(onSend: MovieFormProps['onSend']) {
  const [failure, setFailure] = useState<{ error: unknown }>()
  const [sending, setSending] = useState<Sending>()
  /** Returns whether everything was sent. */
  const send = async (values: MovieValues): Promise<boolean> => {
    const stop = new AbortController()
    const show = (sent: number) => setSending({ sent, giveUp: () => stop.abort() })
    const isUpload = values.imageSource === 'file'
    if (isUpload) show(0)
    try {
      await onSend(values, isUpload ? { signal: stop.signal, onProgress: show } : {})
      return true
    } catch (error) {
      if (!stop.signal.aborted) setFailure({ error })
      return false
    } finally {
      setSending(undefined)
    }
  }
  return { failure, sending, begin: () => setFailure(undefined), send }
}

type CancelButtonProps = Pick<MovieFormProps, 'onCancel'> & { sending: Sending | undefined; isBusy: boolean }

/** Closes the form. During an upload, stops it instead, until all of it is sent. */
function CancelButton({ sending, isBusy, onCancel }: CancelButtonProps) {
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
    <Button tone="quiet" disabled={isBusy} onClick={onCancel}>
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
