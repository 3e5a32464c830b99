import { notAuthorized, refusals } from '../base/errors/refusals.ts'

import type { Pool } from '../base/ports.ts'
import type { Db, UserRow } from '../base/tables.ts'
import { newDeviceOf } from '../parts/devices/device.ts'
import { issueTokens } from '../parts/tokens/issue.ts'
import { refuseForgottenDevice, requireDevice } from './device-step.ts'
import { startSession } from './open-session.ts'
import { requireSecondFactor } from './second-factors.ts'
import {
  challenge,
  type NextChallenge,
  type Progress,
  type SignedIn,
  type SignInPorts,
  type SignInStep,
  type Step,
} from './session.ts'

/** Refuses users who may not sign in, but only after they have proven who they are. */
export const requireGoodStanding: Step = async (_pool, _trx, user) => {
  if (user.enabled === 0) return refusals.disabled()
  if (user.status === 'UNCONFIRMED') return refusals.notConfirmed()
  if (user.status === 'RESET_REQUIRED') return refusals.resetRequired()
  return await Promise.resolve(undefined)
}

/** Requires a user with a temporary password to choose their own. */
const requireNewPassword: Step = async (pool, _trx, user, progress) => {
  if (user.status !== 'FORCE_CHANGE_PASSWORD') return undefined
  if (user.temporary_until !== null && user.temporary_until <= pool.clock.now().toISOString()) {
    return notAuthorized('Temporary password has expired and must be reset by an administrator.')
  }
  const attributes = { email: user.email, email_verified: String(user.email_verified === 1) }
  return await Promise.resolve(
    challenge(pool, user, progress, {
      name: 'NEW_PASSWORD_REQUIRED',
      // Both are JSON inside a string: clients parse them once more.
      parameters: { requiredAttributes: '[]', userAttributes: JSON.stringify(attributes) },
    }),
  )
}

type Ports = Pick<Pool, 'clock' | 'issuer' | 'mail' | 'random' | 'signingKeys'>

/** The steps between the first factor and the tokens, in this order. */
const STEPS: readonly Step[] = [
  requireGoodStanding,
  requireNewPassword,
  refuseForgottenDevice,
  requireSecondFactor,
  requireDevice,
]

/**
 * Returns the next challenge or refusal of the first step that has one, else signs in. Runs in the transaction that
 * uses up the answered challenge.
 */
export async function advance(pool: SignInPorts, trx: Db, user: UserRow, progress: Progress): Promise<SignInStep> {
  for (const step of STEPS) {
    const next = await step(pool, trx, user, progress)
    if (next) return next
  }
  return await startSession(pool, trx, user, progress)
}

/** The reply for a step. Signs tokens and starts mail delivery, after the commit. */
export async function present(pool: Ports, step: NextChallenge | SignedIn): Promise<object> {
  pool.mail.wake()
  if (step.kind === 'challenge') {
    const { kind: _kind, ...reply } = step
    return reply
  }
  const { user, session, refreshToken } = step
  const tokens = await issueTokens(pool, user, session, refreshToken)
  const offered = newDeviceOf(session)
  return {
    ChallengeParameters: {},
    AuthenticationResult: { ...tokens, ...(offered && { NewDeviceMetadata: offered }) },
  }
}
