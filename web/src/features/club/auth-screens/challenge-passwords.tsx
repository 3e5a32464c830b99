import { useTranslation } from '#web/i18n/texts.ts'
import { PasswordField } from '#web/ui/password-field.tsx'

import { ChallengeForm } from './challenge-form.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { PASSWORD_RULES, NEW_PASSWORD_RULES } from './rules.ts'
import { type ChallengeOutcome, useChallengeForm } from './use-challenge-form.ts'

/** Asks for the password as a later factor. */
export function ChallengePassword(outcome: ChallengeOutcome) {
  const { t } = useTranslation('auth')
  const { register, errors, ...form } = useChallengeForm({
    rules: PASSWORD_RULES,
    defaultValues: { password: '' },
    answer: ({ password }) => password,
    ...outcome,
  })
  return (
    <ChallengeForm form={form} title={t('challenge.passwordTitle')}>
      <PasswordField
        {...register('password')}
        label={t('fields.password')}
        showLabel={t('fields.showPassword')}
        hideLabel={t('fields.hidePassword')}
        autoComplete="current-password"
        required
        error={errors.password?.message}
      />
    </ChallengeForm>
  )
}

/** Asks for a new password, which replaces a temporary one. */
export function ChallengeNewPassword(outcome: ChallengeOutcome) {
  const { t } = useTranslation('auth')
  const { register, errors, ...form } = useChallengeForm({
    rules: NEW_PASSWORD_RULES,
    defaultValues: { newPassword: '', confirmPassword: '' },
    fields: { password: 'newPassword' },
    answer: ({ newPassword }) => newPassword,
    ...outcome,
  })
  return (
    <ChallengeForm form={form} title={t('challenge.newPasswordTitle')} text={t('challenge.newPassword')}>
      <NewPasswordFields
        label={t('fields.newPassword')}
        password={{ ...register('newPassword'), error: errors.newPassword?.message }}
        confirmation={{ ...register('confirmPassword'), error: errors.confirmPassword?.message }}
      />
    </ChallengeForm>
  )
}
