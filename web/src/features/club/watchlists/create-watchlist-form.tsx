import type { Watchlist } from '@marquee/contract/entities/watchlist'
import {
  MAX_WATCHLIST_DESCRIPTION_LENGTH,
  MAX_WATCHLIST_NAME_LENGTH,
  WATCHLIST_DESCRIPTION_ROWS,
} from '@marquee/contract/limits'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { FormButtons } from '#web/ui/form-buttons.tsx'
import { TextArea, TextField } from '#web/ui/text-field.tsx'
import { useForm } from '#web/ui/use-form.ts'

import { useCreateWatchlist } from './creation-mutations.ts'
import { watchlistFailure } from './watchlist-states.tsx'

type CreateWatchlistFormProps = {
  onCreated: (watchlist: Watchlist) => void
  onCancel?: (() => void) | undefined
  /** The form takes the focus, because the user opened it. */
  takesFocus?: boolean
}

/** Name and description of a new watchlist. */
export function CreateWatchlistForm({ onCreated, onCancel, takesFocus = false }: CreateWatchlistFormProps) {
  const { t } = useTranslation('watchlist')
  const create = useCreateWatchlist()
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { name: '', description: '' },
    reValidateMode: 'onChange',
  })
  const { errors } = formState

  const submit = handleSubmit(({ name, description }) => {
    const body = { name: name.trim(), description: description.trim() === '' ? null : description.trim() }
    create.mutate(body, { onSuccess: onCreated })
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={t('fields.name')}
        required
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens where its button was pressed
        autoFocus={takesFocus}
        error={errors.name?.message}
        {...register('name', {
          validate: (name) => name.trim() !== '' || t('errors.nameRequired'),
          maxLength: {
            value: MAX_WATCHLIST_NAME_LENGTH,
            message: t('errors.nameTooLong', { max: MAX_WATCHLIST_NAME_LENGTH }),
          },
        })}
      />
      <TextArea
        label={t('fields.description')}
        hint={t('fields.optional')}
        rows={WATCHLIST_DESCRIPTION_ROWS}
        error={errors.description?.message}
        {...register('description', {
          maxLength: {
            value: MAX_WATCHLIST_DESCRIPTION_LENGTH,
            message: t('errors.descriptionTooLong', { max: MAX_WATCHLIST_DESCRIPTION_LENGTH }),
          },
        })}
      />
      <CallFailureBanner
        what={t('create.failed')}
        kind={watchlistFailure('create', create.error)}
        error={create.error}
      />
      <FormButtons
        submitLabel={t('create.submit')}
        cancelLabel={t('create.cancel')}
        isBusy={create.isPending}
        onCancel={onCancel}
      />
    </form>
  )
}
