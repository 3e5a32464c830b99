import { isEmail } from '@marquee/contract/rules/account'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { ANSWER_RULES, FORGOT_PASSWORD_RULES } from './rules.ts'
import { type ChallengeOutcome, useChallengeForm } from './use-challenge-form.ts'

/** A question of the installation's own. */
export function ChallengeQuestion({ question, ...outcome }: ChallengeOutcome & { question: string | undefined }) {
  const { t } = useTranslation('auth')
  const { register, errors, isBusy, failure, formProps } = useChallengeForm({
    rules: ANSWER_RULES,
    defaultValues: { answer: '' },
    answer: ({ answer }) => answer.trim(),
    ...outcome,
  })
  return (
    <>
      <AuthHeading title={t('challenge.title')}>{question ?? t('challenge.question')}</AuthHeading>
      <form {...formProps} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        <TextField
          {...register('answer')}
          label={t('fields.answer')}
          autoComplete="off"
          required
          error={errors.answer?.message}
        />
        <Button type="submit" tone="primary" size="large" busy={isBusy}>
          {t('challenge.submit')}
        </Button>
      </form>
    </>
  )
}

/** The address to which codes shall go from now on: most likely the one that was signed in with. */
export function ChallengeEmail({ account, ...outcome }: ChallengeOutcome & { account: string }) {
  const { t } = useTranslation('auth')
  const { register, errors, isBusy, failure, formProps } = useChallengeForm({
    rules: FORGOT_PASSWORD_RULES,
    defaultValues: { email: isEmail(account) ? account : '' },
    answer: ({ email }) => email.trim(),
    ...outcome,
  })
  return (
    <>
      <AuthHeading title={t('challenge.title')}>{t('challenge.setUpMail')}</AuthHeading>
      <form {...formProps} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        <TextField
          {...register('email')}
          label={t('fields.email')}
          type="email"
          autoComplete="email"
          required
          error={errors.email?.message}
        />
        <Button type="submit" tone="primary" size="large" busy={isBusy}>
          {t('challenge.submit')}
        </Button>
      </form>
    </>
  )
}
