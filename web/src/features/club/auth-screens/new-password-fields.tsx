import type { ComponentProps } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { PasswordField } from '#web/ui/password-field.tsx'

/** What `register` of react-hook-form gives for a field, and its error. */
type FormField = Pick<ComponentProps<typeof PasswordField>, 'ref' | 'name' | 'onChange' | 'onBlur' | 'error'>

/** A new password, typed twice. */
export function NewPasswordFields(fields: { label: string; password: FormField; confirmation: FormField }) {
  const { t } = useTranslation('auth')
  const common = {
    showLabel: t('fields.showPassword'),
    hideLabel: t('fields.hidePassword'),
    autoComplete: 'new-password',
    required: true,
  }
  return (
    <>
      <PasswordField {...common} {...fields.password} label={fields.label} hint={t('hints.password')} />
      <PasswordField {...common} {...fields.confirmation} label={t('fields.confirmPassword')} />
    </>
  )
}
