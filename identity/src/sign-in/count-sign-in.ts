import type { CognitoError } from '../wire/cognito-error.ts'
import { refusals } from '../wire/refusals.ts'
import type { SignInResult } from '../base/settings.ts'

const CALLS = new Set(['InitiateAuth', 'RespondToAuthChallenge'])
const LIMITS: ReadonlySet<string> = new Set(['LimitExceededException', 'TooManyRequestsException'])
const LOCKED_OUT = refusals.lockedOut().message

/** Whether a call is part of a sign-in: one that refreshes tokens is none. `body` is what was sent, if it was read. */
function isPart(operation: string, body: unknown): boolean {
  if (!CALLS.has(operation)) return false
  const flow = typeof body === 'object' && body !== null && 'AuthFlow' in body ? body.AuthFlow : undefined
  return !(typeof flow === 'string' && flow.startsWith('REFRESH_TOKEN'))
}

/** What an answer says of a sign-in; undefined where it says nothing. */
export function resultOfAnswer(operation: string, body: unknown, answer: object): SignInResult | undefined {
  return isPart(operation, body) && 'AuthenticationResult' in answer ? 'signed-in' : undefined
}

/** What a refusal says of a sign-in; undefined where it says nothing. */
export function resultOfRefusal(operation: string, body: unknown, refusal: CognitoError): SignInResult | undefined {
  if (!isPart(operation, body)) return undefined
  if (refusal.status >= 500) return 'failed'
  if (LIMITS.has(refusal.type)) return 'limited'
  return refusal.message === LOCKED_OUT ? 'locked-out' : 'refused'
}
