import { type ComponentProps, useId } from 'react'

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
