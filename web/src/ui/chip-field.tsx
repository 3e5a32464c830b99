import { Check } from 'lucide-react'
import { useId } from 'react'

import { inputStyle, Field, fieldWiring } from './field.tsx'

/** The chosen names, and the text of the field, whose names count as well. */
export type Chips = { readonly chosen: readonly string[]; readonly typed: string }

export const NO_CHIPS: Chips = { chosen: [], typed: '' }

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

function withNames(names: readonly string[], added: readonly string[]): string[] {
  const all = [...names]
  for (const name of added) if (!all.some((one) => isSame(one, name))) all.push(name)
  return all
}

/** The names in a text with commas. */
function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** All names of the field. */
export function chipNames({ chosen, typed }: Chips): string[] {
  return withNames(chosen, namesIn(typed))
}

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
      <input
        {...fieldWiring(id, { hint, error })}
        type="text"
        name={name}
        autoComplete="off"
        enterKeyHint="done"
        value={typed}
        onChange={({ target }) => {
          const parts = target.value.split(',')
          const rest = parts.pop() ?? ''
          if (parts.length === 0) onChange({ chosen, typed: rest })
          else add(namesIn(parts.join(',')), rest.trimStart())
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || typed.trim() === '') return
          // Enter would send the form.
          event.preventDefault()
          add(namesIn(typed), '')
        }}
        className={inputStyle}
      />
    </Field>
  )
}
