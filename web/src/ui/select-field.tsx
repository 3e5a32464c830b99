import { type ReactNode, useId } from 'react'

import { Field, inputStyle } from './field.tsx'

/** A select counts as read-only in CSS, so it would look disabled. */
export const selectStyle = `${inputStyle} bg-surface! text-text!`

type SelectFieldProps = {
  label: string
  name: string
  value: string | number
  onChange: (value: string) => void
  /** The options. */
  children: ReactNode
}

export function SelectField({ label, name, value, onChange, children }: SelectFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label}>
      <select
        id={id}
        name={name}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={selectStyle}
      >
        {children}
      </select>
    </Field>
  )
}
