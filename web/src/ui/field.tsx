import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import { classes } from './classes.ts'

/** The label of an input, a hint below it, and the error of its value. */
export type FieldTexts = {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** The value is wrong, and the message is shown elsewhere. */
  isInvalid?: boolean | undefined
  /** The id of another element that describes it. */
  describedBy?: string | undefined
}

/** The attributes that connect an input with its label, hint and error. */
export function fieldWiring(id: string, texts: Omit<FieldTexts, 'label'>) {
  const { hint, error, isInvalid = error !== undefined, describedBy: also } = texts
  const describedBy = classes(error !== undefined && `${id}-error`, also, hint !== undefined && `${id}-hint`)
  return {
    id,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
  }
}

export const inputStyle =
  'w-full rounded-control border border-control-edge bg-surface px-3 py-2 text-text placeholder:text-muted read-only:bg-raised read-only:text-muted disabled:opacity-55 aria-invalid:border-danger min-h-10 pointer-coarse:min-h-11'

/** The error of a field, announced when it appears. */
export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-sm text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )
}

type FieldProps = Omit<FieldTexts, 'isInvalid' | 'describedBy'> & { id: string; children: ReactNode }

/** Label above, input, hint and error below. */
export function Field({ id, label, hint, error, children }: FieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="self-start text-sm font-semibold">
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
