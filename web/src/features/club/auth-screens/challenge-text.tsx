import { isEmail } from '@marquee/contract/rules/account'
import { useState } from 'react'

import type { Question } from '#web/account/identity.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { ANSWER_RULES, FORGOT_PASSWORD_RULES } from './rules.ts'
import { type ChallengeOutcome, tooLate, useChallengeForm } from './use-challenge-form.ts'

type ChallengeQuestionProps = ChallengeOutcome & { challenge: Question }

/** A custom question of the installation. If it is asked again, the answer was wrong. */
export function ChallengeQuestion({ challenge, onStep, onOver }: ChallengeQuestionProps) {
  const { t } = useTranslation('auth')
  const { question } = challenge
  const [isWrong, setWrong] = useState(challenge.previousAnswer === 'wrong')
  const { register, errors, isBusy, failure, refill, formProps } = useChallengeForm({
    rules: ANSWER_RULES,
    defaultValues: { answer: '' },
    answer: ({ answer }) => answer.trim(),
    reasonOf: (error) => (isRefusedAnswer(error) ? 'wrong-answer' : tooLate(error)),
    onStep: async (step) => {
      await onStep(step)
      const isSameQuestion = typeof step === 'object' && step.kind === 'question' && step.question === question
      if (!isSameQuestion) return
      setWrong(step.previousAnswer !== 'right')
      refill('answer')
    },
    onOver,
  })
  return (
    <>
      <AuthHeading title={t('challenge.title')}>{question ?? t('challenge.question')}</AuthHeading>
      <form {...formProps} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        {failure === undefined && isWrong && <Banner tone="error">{t('challenge.wrongAnswer')}</Banner>}
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

/** The message of the service if a wrong answer ends the sign-in. */
function isRefusedAnswer(error: unknown): boolean {
  return error instanceof Error && error.message === 'Incorrect username or password.'
}

/** Asks for the address that gets the codes from now on, by default the one of the sign-in. */
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
