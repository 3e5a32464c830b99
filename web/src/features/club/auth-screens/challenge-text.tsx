import { isEmail } from '@marquee/contract/rules/account'
import { useState } from 'react'

import type { Question } from '#web/account/identity.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { ChallengeForm } from './challenge-form.tsx'
import { ANSWER_RULES, FORGOT_PASSWORD_RULES } from './rules.ts'
import { type ChallengeOutcome, tooLate, useChallengeForm } from './use-challenge-form.ts'

type ChallengeQuestionProps = ChallengeOutcome & { challenge: Question }

/** A custom question of the installation. If it is asked again, the answer was wrong. */
export function ChallengeQuestion({ challenge, onStep, onOver }: ChallengeQuestionProps) {
  const { t } = useTranslation('auth')
  const { question } = challenge
  const [isWrong, setWrong] = useState(challenge.previousAnswer === 'wrong')
  const { register, errors, refill, ...form } = useChallengeForm({
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
    <ChallengeForm form={form} title={t('challenge.title')} text={question ?? t('challenge.question')}>
      {form.failure === undefined && isWrong && <Banner tone="error">{t('challenge.wrongAnswer')}</Banner>}
      <TextField
        {...register('answer')}
        label={t('fields.answer')}
        autoComplete="off"
        required
        error={errors.answer?.message}
      />
    </ChallengeForm>
  )
}

/** The message of the service if a wrong answer ends the sign-in. */
function isRefusedAnswer(error: unknown): boolean {
  return error instanceof Error && error.message === 'Incorrect username or password.'
}

/** Asks for the address that gets the codes from now on, by default the one of the sign-in. */
export function ChallengeEmail({ account, ...outcome }: ChallengeOutcome & { account: string }) {
  const { t } = useTranslation('auth')
  const { register, errors, ...form } = useChallengeForm({
    rules: FORGOT_PASSWORD_RULES,
    defaultValues: { email: isEmail(account) ? account : '' },
    answer: ({ email }) => email.trim(),
    ...outcome,
  })
  return (
    <ChallengeForm form={form} title={t('challenge.title')} text={t('challenge.setUpMail')}>
      <TextField
        {...register('email')}
        label={t('fields.email')}
        type="email"
        autoComplete="email"
        required
        error={errors.email?.message}
      />
    </ChallengeForm>
  )
}
