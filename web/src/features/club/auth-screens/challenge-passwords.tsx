import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { PASSWORD_RULES, NEW_PASSWORD_RULES } from './rules.ts'
import { type ChallengeOutcome, useChallengeForm } from './use-challenge-form.ts'

/** Asks for the password as a later factor. */
export function ChallengePassword(outcome: ChallengeOutcome) {
  const { t } = useTranslation('auth')
  const { register, errors, isBusy, failure, formProps } = useChallengeForm({
    rules: PASSWORD_RULES,
    defaultValues: { password: '' },
    answer: ({ password }) => password,
    ...outcome,
  })
  return (
    <>
      <AuthHeading title={t('challenge.passwordTitle')} />
      <form {...formProps} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        <PasswordField
          {...register('password')}
          label={t('fields.password')}
          showLabel={t('fields.showPassword')}
          hideLabel={t('fields.hidePassword')}
          autoComplete="current-password"
          required
          error={errors.password?.message}
        />
        <Button type="submit" tone="primary" size="large" busy={isBusy}>
          {t('challenge.submit')}
        </Button>
      </form>
    </>
  )
}

/** Asks for a new password, which replaces a temporary one. */
export function ChallengeNewPassword(outcome: ChallengeOutcome) {
  const { t } = useTranslation('auth')
  const { register, errors, isBusy, failure, formProps } = useChallengeForm({
    rules: NEW_PASSWORD_RULES,
    defaultValues: { newPassword: '', confirmPassword: '' },
    fields: { password: 'newPassword' },
    answer: ({ newPassword }) => newPassword,
    ...outcome,
  })
  return (
    <>
      <AuthHeading title={t('challenge.newPasswordTitle')}>{t('challenge.newPassword')}</AuthHeading>
      <form {...formProps} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        <NewPasswordFields
          label={t('fields.newPassword')}
          password={{ ...register('newPassword'), error: errors.newPassword?.message }}
          confirmation={{ ...register('confirmPassword'), error: errors.confirmPassword?.message }}
        />
        <Button type="submit" tone="primary" size="large" busy={isBusy}>
          {t('challenge.submit')}
        </Button>
      </form>
    </>
  )
}
