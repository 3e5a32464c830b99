import { MAX_DIRECTORS, MAX_GENRES, MAX_RUNTIME_MINUTES, MOVIE_YEARS } from '@marquee/contract/limits'
import { Pencil, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { NameListField } from '#web/ui/chip-field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { FACT_NAMES, type FactName, withFacts } from './facts-values.ts'
import type { MovieValues } from './movie-values.ts'

const NUMBERS = new Set<string>(['year', 'runtimeMinutes'])
const isNameList = (name: FactName): name is 'genres' | 'directors' => name === 'genres' || name === 'directors'
/** The numbers that the errors name. */
export const FACT_LIMITS = {
  ...MOVIE_YEARS,
  minutes: MAX_RUNTIME_MINUTES,
  genres: MAX_GENRES,
  directors: MAX_DIRECTORS,
} as const

/** The facts of the movie in one line, which unfolds to fields. Nothing if there are none. */
export function Facts({ onRemove, onChange }: { onRemove: () => void; onChange: () => void }) {
  const { t } = useTranslation('moviecard')
  const { register, formState } = useFormContext<MovieValues>()
  const [movie, facts] = useWatch<MovieValues, ['movie', 'facts']>({ name: ['movie', 'facts'] })
  const factsText = useFactsText()
  const [isEdited, setEdited] = useState(false)
  if (movie === null) return null
  const errors = formState.errors.facts
  // The fields that an error has unfolded stay while the user corrects it.
  if (errors !== undefined && !isEdited) setEdited(true)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <p className="text-sm font-semibold">{t('facts.label')}</p>
          <p className="text-sm text-muted">{factsText(withFacts(movie, facts))}</p>
        </div>
        <IconButton
          aria-label={t('facts.edit')}
          aria-expanded={isEdited}
          icon={<Pencil aria-hidden />}
          onClick={() => setEdited(!isEdited)}
        />
        <IconButton aria-label={t('facts.remove')} icon={<X aria-hidden />} onClick={onRemove} />
      </div>
      {isEdited && (
        <div className="grid gap-4 sm:grid-cols-2">
          {FACT_NAMES.map((name) =>
            isNameList(name) ? (
              <Names key={name} name={name} onChange={onChange} />
            ) : (
              <TextField
                key={name}
                label={t(`facts.fields.${name}`)}
                inputMode={NUMBERS.has(name) ? 'numeric' : undefined}
                autoComplete="off"
                error={errors?.[name]?.message}
                {...register(`facts.${name}`)}
              />
            ),
          )}
        </div>
      )}
    </div>
  )
}

function Names({ name, onChange }: { name: 'genres' | 'directors'; onChange: () => void }) {
  const { t } = useTranslation('moviecard')
  const path = `facts.${name}` as const
  const { register, setValue, formState } = useFormContext<MovieValues>()
  const value = useWatch<MovieValues, typeof path>({ name: path })
  const input = useRef<HTMLInputElement>(null)
  // The form moves the focus to its first invalid field. `useController` is 0.8 kB of the first script.
  useEffect(() => register(path).ref({ name: path, focus: () => input.current?.focus() }), [register, path])
  return (
    <NameListField
      ref={input}
      name={path}
      value={value}
      label={t(`facts.fields.${name}`)}
      hint={t('facts.namesHint')}
      removeLabel={(one) => t('facts.removeName', { name: one })}
      error={formState.errors.facts?.[name]?.message}
      onChange={(chips) => {
        setValue(path, chips, { shouldDirty: true, shouldValidate: formState.isSubmitted })
        // A press of a button is no change of an input.
        onChange()
      }}
    />
  )
}
