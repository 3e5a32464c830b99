import type { DefaultValues, FieldValues } from 'react-hook-form'

import type { SignInStep } from '#web/session/identity.ts'

import type { Rule } from './rules.ts'
import { useAuthForm } from './use-auth-form.ts'

/** How the screen of a challenge tells what came of it. */
export type ChallengeOutcome = {
  onStep: (step: SignInStep) => Promise<void>
  /** The service has forgotten the sign-in, or it was answered wrongly too often: only a new one helps. */
  onTooLate: () => void
}

type ChallengeForm<V extends FieldValues> = ChallengeOutcome & {
  rules: readonly Rule<V>[]
  defaultValues: DefaultValues<V>
  answer: (values: V) => string
}

/** A form that answers a challenge; what the service refuses is its `failure`. */
export function useChallengeForm<V extends FieldValues>(form: ChallengeForm<V>) {
  const { rules, defaultValues, answer, onStep, onTooLate } = form
  return useAuthForm<V>({
    rules,
    defaultValues,
    fallback: 'errors.login',
    onSubmit: async (values, { answerChallenge }) => {
      const step = await answerChallenge(answer(values)).catch((error: unknown) => {
        if (!isTooLate(error)) throw error
        onTooLate()
        return undefined
      })
      if (step !== undefined) await onStep(step)
    },
  })
}

/** The service says so in words alone; Amplify says it where it has forgotten the sign-in itself. */
export function isTooLate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'SignInException' || error.message.startsWith('Invalid session for the user')
}
