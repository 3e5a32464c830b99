import { type ComponentProps, useId } from 'react'

import { Field, fieldWiring, type FieldTexts, inputStyle } from './field.tsx'

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className'> & FieldTexts & { name: string; rows: number }

/** Several lines of text with their label and error. */
export function TextArea({ label, hint, error, id, ...input }: TextAreaProps) {
  const ownId = useId()
  const fieldId = id ?? ownId
  return (
    <Field id={fieldId} label={label} hint={hint} error={error}>
      <textarea {...input} {...fieldWiring(fieldId, { hint, error })} className={`${inputStyle} resize-y`} />
    </Field>
  )
}
