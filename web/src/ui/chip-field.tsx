import { Check, X } from 'lucide-react'
import { type ComponentProps, type Ref, type RefObject, useId } from 'react'

import { announce } from './live-region.tsx'
import { type Chips, COMMA, isSame, namesIn, withNames } from './chips.ts'
import { inputStyle, Field, fieldWiring } from './field.tsx'

type ChipFieldProps = {
  label: string
  hint?: string | undefined
  error?: string | undefined
  name: string
  value: Chips
  /** Names that can be chosen by a press. */
  known?: readonly string[] | undefined
  onChange: (value: Chips) => void
}

/**
 * Names to choose by a press, and a field for others. What is typed becomes a name with Enter or a comma, and counts before
 * that: nothing moves when the field loses the focus. A name that is no longer chosen stays until the screen is left.
 */
export function ChipField({ label, hint, error, name, value, known = [], onChange }: ChipFieldProps) {
  const id = useId()
  const { chosen, typed } = value
  const isChosen = (chip: string) => chosen.some((one) => isSame(one, chip))
  const add = (names: readonly string[], rest: string) => onChange({ chosen: withNames(chosen, names), typed: rest })
  const chips = withNames(known, chosen)
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {chips.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-2">
          {chips.map((chip) => (
            <li key={chip}>
              <button
                type="button"
                aria-pressed={isChosen(chip)}
                onClick={() =>
                  isChosen(chip)
                    ? onChange({ chosen: chosen.filter((one) => !isSame(one, chip)), typed })
                    : add([chip], typed)
                }
                className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-control-edge px-3 text-sm font-medium hover:bg-raised aria-pressed:border-accent aria-pressed:bg-raised pointer-coarse:min-h-11 [&>svg]:size-4"
              >
                {/* The room of the mark is kept, so that no other chip moves. */}
                <Check aria-hidden className={isChosen(chip) ? 'text-accent' : 'opacity-0'} />
                <bdi>{chip}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      <NameInput {...fieldWiring(id, { hint, error })} name={name} typed={typed} onAdd={add} />
    </Field>
  )
}

type NameInputProps = Pick<ComponentProps<'input'>, 'id' | 'name' | 'aria-invalid' | 'aria-describedby'> & {
  ref?: Ref<HTMLInputElement>
  typed: string
  /** Enter and a comma add names. The rest stays in the field. */
  onAdd: (names: readonly string[], rest: string) => void
  /** Backspace was pressed in the empty field. */
  onBackspace?: () => void
}

function NameInput({ typed, onAdd, onBackspace, ...input }: NameInputProps) {
  return (
    <input
      {...input}
      type="text"
      autoComplete="off"
      enterKeyHint="done"
      value={typed}
      onChange={({ target }) => {
        const parts = target.value.split(COMMA)
        const rest = parts.pop() ?? ''
        onAdd(namesIn(parts.join(',')), parts.length === 0 ? rest : rest.trimStart())
      }}
      onKeyDown={(event) => {
        // An input method uses these keys to choose characters.
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Backspace' && typed === '') onBackspace?.()
        if (event.key !== 'Enter' || typed.trim() === '') return
        // Enter would send the form.
        event.preventDefault()
        onAdd(namesIn(typed), '')
      }}
      className={inputStyle}
    />
  )
}

type NameListFieldProps = Omit<ChipFieldProps, 'known'> & {
  ref: RefObject<HTMLInputElement | null>
  removeLabel: (name: string) => string
}

/** A list of names: each has a button that removes it, and a field adds others. Backspace in the empty field removes the last. */
export function NameListField({ label, hint, error, name, value, ref, removeLabel, onChange }: NameListFieldProps) {
  const id = useId()
  const { chosen, typed } = value
  const change = (names: string[], rest: string) => {
    onChange({ chosen: names, typed: rest })
    if (names.length !== chosen.length) announce(names.join(', '))
  }
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {chosen.length > 0 && (
        <ul aria-label={label} className="flex flex-wrap gap-2">
          {chosen.map((each) => (
            <li
              key={each}
              className="inline-flex max-w-full items-center rounded-full border border-control-edge bg-raised ps-3 text-sm font-medium"
            >
              <bdi className="min-w-0 py-1 break-words">{each}</bdi>
              <button
                type="button"
                aria-label={removeLabel(each)}
                className="inline-flex size-9 shrink-0 items-center justify-center rounded-full text-muted hover:text-text pointer-coarse:size-11"
                onClick={() => {
                  change(
                    chosen.filter((one) => one !== each),
                    typed,
                  )
                  // The button is gone.
                  ref.current?.focus()
                }}
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <NameInput
        {...fieldWiring(id, { hint, error })}
        ref={ref}
        name={name}
        typed={typed}
        onAdd={(names, rest) => change(withNames(chosen, names), rest)}
        onBackspace={() => {
          if (chosen.length > 0) change(chosen.slice(0, -1), typed)
        }}
      />
    </Field>
  )
}
