import { z } from 'zod'

import { CHALLENGES } from '../sign-in/challenge-names.ts'
import { ANSWERS } from '../sign-in/challenges/answers.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { SignInPorts } from '../sign-in/step.ts'

const RespondToAuthChallenge = z.object({
  ChallengeName: field.oneOf(CHALLENGES),
  ClientId: field.clientId,
  Session: field.session.optional(),
  ChallengeResponses: field.parameters,
  ClientMetadata: field.parameters,
})

/** Answers the challenge a sign-in is at (identity.md 2.6). */
export const respondToAuthChallenge = operation(RespondToAuthChallenge, async (pool: SignInPorts, input) => {
  const answer = ANSWERS.get(input.ChallengeName)
  const { Session: session, ChallengeResponses: responses } = input
  const clientMetadata = Object.fromEntries(input.ClientMetadata)
  if (answer) return await answer(pool, { session, responses, clientMetadata })
  if (input.Session === undefined) throw refusals.missing('Session')
  throw refusals.invalidSession()
})
