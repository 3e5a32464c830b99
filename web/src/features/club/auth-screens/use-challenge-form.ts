import type { FieldValues } from 'react-hook-form'

import type { SignInStep } from '#web/account/identity.ts'

import { type AuthForm, useAuthForm } from './use-auth-form.ts'

/** The callbacks of a challenge. */
export type ChallengeOutcome = {
  onStep: (step: SignInStep) => Promise<void>
  /** The service has ended the sign-in. The user has to start over. */
  onOver: (reason: OverReason) => void
}

/** `too-late`: it took too long, or too many codes were wrong. `wrong-answer`: to a question of the installation. */
export type OverReason = 'too-late' | 'wrong-answer'

type ChallengeForm<V extends FieldValues> = ChallengeOutcome &
  Pick<AuthForm<V>, 'rules' | 'defaultValues' | 'fields'> & {
    answer: (values: V) => string
    /** Whether an error means that the sign-in is over. */
    reasonOf?: (error: unknown) => OverReason | undefined
  }

/** A form that answers a challenge. A refusal is its `failure`. */
export function useChallengeForm<V extends FieldValues>(given: ChallengeForm<V>) {
  const { answer, onStep, onOver, reasonOf = tooLate, ...form } = given
  return useAuthForm<V>({
    ...form,
    fallback: 'errors.login',
    onSubmit: async (values, { answerChallenge }) => {
      const step = await answerChallenge(answer(values)).catch((error: unknown) => {
        const reason = reasonOf(error)
        if (reason === undefined) throw error
        onOver(reason)
        return undefined
      })
      if (step !== undefined) await onStep(step)
    },
  })
}

/** The service has no error name for this, only a message. Amplify has one if it has forgotten the sign-in. */
export function tooLate(error: unknown): OverReason | undefined {
  if (!(error instanceof Error)) return undefined
  const isOver = error.name === 'SignInException' || error.message.startsWith('Invalid session for the user')
  return isOver ? 'too-late' : undefined
}
