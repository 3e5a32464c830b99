import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { PASSWORD_RULES } from './rules.ts'
import { type ChallengeOutcome, useChallengeForm } from './use-challenge-form.ts'

/** The password, where the sign-in asked for something else first. */
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
