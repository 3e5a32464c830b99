import { MAX_USERNAME_LENGTH } from '@marquee/contract/limits'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'

import { useTranslation } from '#web/i18n/texts.ts'
import { TextField } from '#web/ui/text-field.tsx'

import { NewPasswordFields } from './new-password-fields.tsx'
import type { SignupValues } from './rules.ts'

type NameAndPasswordFieldsProps = { register: UseFormRegister<SignupValues>; errors: FieldErrors<SignupValues> }

/** The name and the password of a new account. */
export function NameAndPasswordFields({ register, errors }: NameAndPasswordFieldsProps) {
  const { t } = useTranslation('auth')
  return (
    <>
      <TextField
        {...register('name')}
        label={t('fields.name')}
        hint={t('hints.name')}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MAX_USERNAME_LENGTH}
        required
        error={errors.name?.message}
      />
      <NewPasswordFields
        label={t('fields.password')}
        password={{ ...register('password'), error: errors.password?.message }}
        confirmation={{ ...register('confirmPassword'), error: errors.confirmPassword?.message }}
      />
    </>
  )
}
