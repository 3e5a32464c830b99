import { z } from 'zod'

import { answerPasswordVerifier } from '../sign-in/answer-password-verifier.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { notAuthorized, refusals } from '../wire/refusals.ts'

const CHALLENGES = [
  'SMS_MFA',
  'EMAIL_OTP',
  'SOFTWARE_TOKEN_MFA',
  'SELECT_MFA_TYPE',
  'MFA_SETUP',
  'PASSWORD_VERIFIER',
  'CUSTOM_CHALLENGE',
  'SELECT_CHALLENGE',
  'DEVICE_SRP_AUTH',
  'DEVICE_PASSWORD_VERIFIER',
  'ADMIN_NO_SRP_AUTH',
  'NEW_PASSWORD_REQUIRED',
  'SMS_OTP',
  'PASSWORD',
  'WEB_AUTHN',
  'PASSWORD_SRP',
] as const

const RespondToAuthChallenge = z.object({
  ChallengeName: field.oneOf(CHALLENGES),
  ClientId: field.clientId,
  Session: field.session.optional(),
  ChallengeResponses: field.parameters,
})

/** Answers the challenge a sign-in is at (identity.md 2.6). */
export const respondToAuthChallenge = operation(RespondToAuthChallenge, async (pool, input) => {
  if (input.ChallengeName === 'PASSWORD_VERIFIER') return await answerPasswordVerifier(pool, input.ChallengeResponses)
  // This pool gives no other challenge, so nobody can hold a session that is at one.
  if (input.Session === undefined) throw refusals.missing('Session')
  throw notAuthorized('Invalid session for the user.')
})
