import type { ReactNode } from 'react'

import { useClicked } from './checkbox.tsx'
import { classes } from './classes.ts'

type SegmentedProps<Value extends string> = {
  legend: string
  /** Narrow, with a legend for screen readers only. */
  isCompact?: boolean
  name: string
  /** Undefined until one is chosen. */
  value: Value | undefined
  options: readonly { value: Value; label: string; icon?: ReactNode }[]
  onChange: (value: Value) => void
}

/** A group of radio buttons that looks like one control. */
export function Segmented<Value extends string>({
  legend,
  isCompact = false,
  name,
  value,
  options,
  onChange,
}: SegmentedProps<Value>) {
  const [shown, setShown] = useClicked(value)
  return (
    <fieldset>
      <legend className={isCompact ? 'sr-only' : 'mb-1.5 text-sm font-semibold'}>{legend}</legend>
      <div className="flex flex-wrap gap-1 rounded-control border border-control-edge p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className={classes(
              isCompact ? 'basis-16' : 'basis-32',
              'flex min-h-8 flex-1 items-center justify-center gap-2 rounded-poster px-3 text-center text-sm font-medium text-muted border border-transparent has-checked:border-accent has-checked:bg-raised has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:min-h-11 [&>svg]:size-4',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === shown}
              onChange={() => {
                setShown(option.value)
                onChange(option.value)
              }}
              className="sr-only"
            />
            {option.icon}
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
