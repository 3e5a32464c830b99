import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useId, useState } from 'react'

import { Field, fieldWiring, type FieldTexts, inputStyle } from './field.tsx'
import { IconButton } from './icon-button.tsx'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'className' | 'type'> &
  FieldTexts & {
    name: string
    /** The name of the button that shows the password. */
    showLabel: string
    /** The name of the same button while the password is shown. */
    hideLabel: string
  }

/** A password with a button that shows it. */
export function PasswordField({
  label,
  hint,
  error,
  isInvalid,
  describedBy,
  showLabel,
  hideLabel,
  id,
  ...input
}: PasswordFieldProps) {
  const ownId = useId()
  const fieldId = id ?? ownId
  const [isShown, setShown] = useState(false)
  return (
    <Field id={fieldId} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          {...input}
          {...fieldWiring(fieldId, { hint, error, isInvalid, describedBy })}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          className={`${inputStyle} pe-12`}
        />
        <IconButton
          aria-label={isShown ? hideLabel : showLabel}
          aria-controls={fieldId}
          icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 end-0.5 my-auto"
        />
      </div>
    </Field>
  )
}
