import { type ComponentProps, useEffect, useId, useState } from 'react'

import { fieldWiring } from './field.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'className' | 'type' | 'id'> & {
  label: string
  hint?: string | undefined
  name: string
}

/** A checkbox. The whole line is its target. */
export function Checkbox({ label, hint, ...input }: CheckboxProps) {
  const id = useId()
  return (
    <div className="flex flex-col">
      <label htmlFor={id} className="flex min-h-6 items-center gap-2.5 self-start font-medium pointer-coarse:min-h-11">
        <input {...input} {...fieldWiring(id, { hint })} type="checkbox" className="size-5 shrink-0 accent-accent" />
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="ps-7.5 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The query cache reports a change in the next task. */
const REPORTED_WITHIN_MS = 20

/**
 * The value of an input that is controlled by data of the query cache. A click shows at once: otherwise React would
 * reset the input until the cache reports the change.
 */
export function useClicked<Value>(value: Value): [Value, (clicked: Value) => void] {
  const [clicked, setClicked] = useState<Value>()
  useEffect(() => {
    if (clicked === undefined) return undefined
    const timer = setTimeout(() => setClicked(undefined), REPORTED_WITHIN_MS)
    return () => clearTimeout(timer)
  }, [clicked])
  return [clicked ?? value, setClicked]
}
