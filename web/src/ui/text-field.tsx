import { type ComponentProps, useId } from 'react'

import { Field, fieldWiring, type FieldTexts, inputStyle } from './field.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'type'> &
  FieldTexts & { type?: 'text' | 'email' | 'url' | 'search' | 'date'; name: string }

/** One line of text with its label and error. Takes what react-hook-form's `register` gives. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, isInvalid, describedBy, type = 'text', id, ...input } = props
  const ownId = useId()
  const fieldId = id ?? ownId
  return (
    <Field id={fieldId} label={label} hint={hint} error={error}>
      <input
        {...input}
        {...fieldWiring(fieldId, { hint, error, isInvalid, describedBy })}
        type={type}
        className={inputStyle}
      />
    </Field>
  )
}

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
