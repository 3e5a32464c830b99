import type { Night } from '@marquee/contract/entities/night'
import {
  MAX_NIGHT_NOTE_LENGTH,
  MAX_NIGHT_PLACE_LENGTH,
  MAX_NIGHT_TIMES,
  MAX_RUNTIME_MINUTES,
} from '@marquee/contract/limits'
import { Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { type FormState, useFieldArray, type UseFormRegisterReturn, type UseFormReturn } from 'react-hook-form'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { ownTimeZone, timeZones } from '#web/i18n/time-zones.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, fieldWiring, inputStyle } from '#web/ui/field.tsx'
import { FormButtons } from '#web/ui/form-buttons.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextArea, TextField } from '#web/ui/text-field.tsx'
import { useForm } from '#web/ui/use-form.ts'

import { useSavePlan } from './queries.ts'

type PlanFormProps = {
  watchlistId: string
  /** The night whose plan is changed; undefined for a new one. */
  night: Night | undefined
  onClose: () => void
}

const NOTE_ROWS = 3

type PlanValues = { times: { at: string }[]; timeZone: string; place: string; note: string; maxRuntime: string }

function valuesOf(night: Night | undefined, zone: string): PlanValues {
  return {
    times: night?.times.map(({ localTime }) => ({ at: localTime })) ?? [{ at: '' }],
    timeZone: night?.timeZone ?? zone,
    place: night?.place ?? '',
    note: night?.note ?? '',
    maxRuntime: String(night?.maxRuntimeMinutes ?? ''),
  }
}

/** The plan to save. What was not touched is as `now` has it, as another member may have changed it meanwhile. */
function planOf(given: PlanValues, touched: FormState<PlanValues>['dirtyFields'], now: PlanValues) {
  const { times, timeZone } = touched.times || touched.timeZone ? given : now
  const { place } = touched.place ? given : now
  const { note } = touched.note ? given : now
  const { maxRuntime } = touched.maxRuntime ? given : now
  const maxRuntimeMinutes = maxRuntime.trim() === '' ? null : Number(maxRuntime)
  return { times: times.map(({ at }) => at), timeZone, place, note, maxRuntimeMinutes }
}

/** The plan of a night: one to three times, and where. */
export function PlanForm({ watchlistId, night, onClose }: PlanFormProps) {
  const { t } = useTranslation('watchlist')
  const [zone] = useState(() => night?.timeZone ?? ownTimeZone())
  const save = useSavePlan(watchlistId, night)
  const form = useForm<PlanValues>({
    defaultValues: valuesOf(night, zone),
  })
  const { register, handleSubmit, formState } = form
  const { errors, dirtyFields } = formState

  const submit = handleSubmit((given) => {
    save.mutate(planOf(given, dirtyFields, valuesOf(night, zone)), { onSuccess: onClose })
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <h2 className="text-2xl">{t(night === undefined ? 'night.form.planTitle' : 'night.form.changeTitle')}</h2>
      <TimeFields form={form} />
      <ZoneField zone={zone} field={register('timeZone')} />
      <TextField
        label={t('night.form.place')}
        hint={t('night.form.optional')}
        maxLength={MAX_NIGHT_PLACE_LENGTH}
        autoComplete="off"
        {...register('place')}
      />
      <TextField
        label={t('night.form.maxRuntime')}
        hint={t('night.form.optional')}
        inputMode="numeric"
        autoComplete="off"
        error={errors.maxRuntime?.message}
        {...register('maxRuntime', {
          validate: (value) => isRuntime(value) || t('night.form.runtimeInvalid', { max: MAX_RUNTIME_MINUTES }),
        })}
      />
      <TextArea
        label={t('night.form.note')}
        hint={t('night.form.optional')}
        rows={NOTE_ROWS}
        maxLength={MAX_NIGHT_NOTE_LENGTH}
        {...register('note')}
      />
      <CallFailureBanner what={t('night.form.failed')} error={save.error} />
      <FormButtons
        submitLabel={t(night === undefined ? 'night.form.submit' : 'night.form.save')}
        cancelLabel={t('night.form.cancel')}
        isBusy={save.isPending}
        onCancel={onClose}
      />
    </form>
  )
}

function ZoneField({ zone, field }: { zone: string; field: UseFormRegisterReturn }) {
  const { t } = useTranslation('watchlist')
  const id = useId()
  const [zones] = useState(() => timeZones(zone))
  return (
    <Field id={id} label={t('night.form.timeZone')}>
      <select {...fieldWiring(id, {})} className={`${inputStyle} bg-surface! text-text!`} {...field}>
        {zones.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </Field>
  )
}

/** The proposed times: one to three. */
function TimeFields({ form }: { form: UseFormReturn<PlanValues> }) {
  const { t } = useTranslation('watchlist')
  const ids = useId()
  const { register, control, formState } = form
  const times = useFieldArray({ control, name: 'times' })
  return (
    <>
      {times.fields.map(({ id: key }, n) => {
        const id = `${ids}-time-${n}`
        const error = formState.errors.times?.[n]?.at?.message
        return (
          <Field
            key={key}
            id={id}
            label={n === 0 ? t('night.form.time') : t('night.form.otherTime', { n: n + 1 })}
            error={error}
          >
            <div className="flex gap-2">
              <input
                {...fieldWiring(id, { error })}
                type="datetime-local"
                required
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens where its button was pressed
                autoFocus={n === 0}
                className={inputStyle}
                {...register(`times.${n}.at`, { required: t('night.form.timeRequired') })}
              />
              {n > 0 && (
                <IconButton
                  aria-label={t('night.form.removeTime', { n: n + 1 })}
                  icon={<X aria-hidden />}
                  onClick={() => times.remove(n)}
                />
              )}
            </div>
          </Field>
        )
      })}
      {times.fields.length < MAX_NIGHT_TIMES && (
        <Button
          tone="quiet"
          size="small"
          className="self-start"
          icon={<Plus aria-hidden />}
          onClick={() => times.append({ at: '' })}
        >
          {t('night.form.addTime')}
        </Button>
      )}
    </>
  )
}

function isRuntime(value: string): boolean {
  if (value.trim() === '') return true
  const minutes = Number(value)
  return Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_RUNTIME_MINUTES
}
