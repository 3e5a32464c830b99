import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { NEW_PASSWORD_RULES } from './rules.ts'
import { type ChallengeOutcome, useChallengeForm } from './use-challenge-form.ts'

/** A password of one's own in place of a temporary one. */
export function ChallengeNewPassword(outcome: ChallengeOutcome) {
  const { t } = useTranslation('auth')
  const { register, errors, isBusy, failure, formProps } = useChallengeForm({
    rules: NEW_PASSWORD_RULES,
    defaultValues: { newPassword: '', confirmPassword: '' },
    fields: { password: 'newPassword' },
    answer: ({ newPassword }) => newPassword,
    ...outcome,
  })
  const showing = { showLabel: t('fields.showPassword'), hideLabel: t('fields.hidePassword') }
  return (
    <>
      <AuthHeading title={t('challenge.newPasswordTitle')}>{t('challenge.newPassword')}</AuthHeading>
      <form {...formProps} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        <PasswordField
          {...register('newPassword')}
          {...showing}
          label={t('fields.newPassword')}
          hint={t('hints.password')}
          autoComplete="new-password"
          required
          error={errors.newPassword?.message}
        />
        <PasswordField
          {...register('confirmPassword')}
          {...showing}
          label={t('fields.confirmPassword')}
          autoComplete="new-password"
          required
          error={errors.confirmPassword?.message}
        />
        <Button type="submit" tone="primary" size="large" busy={isBusy}>
          {t('challenge.submit')}
        </Button>
      </form>
    </>
  )
}
