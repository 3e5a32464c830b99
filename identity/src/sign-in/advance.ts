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

/** Who may not sign in is told so, but only after proving to be that user (identity.md 2.5). */
export const requireGoodStanding: Step = async (_pool, _trx, user) => {
  if (user.enabled === 0) return refusals.disabled()
  if (user.status === 'UNCONFIRMED') return refusals.notConfirmed()
  if (user.status === 'RESET_REQUIRED') return refusals.resetRequired()
  return await Promise.resolve(undefined)
}

/** Who has a temporary password must choose one of their own first (identity.md 2.6). */
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

/** What may come between the first factor and the tokens, in the order of identity.md 2.7. */
const STEPS: readonly Step[] = [
  requireGoodStanding,
  requireNewPassword,
  refuseForgottenDevice,
  requireSecondFactor,
  requireDevice,
]

/**
 * Decides what comes after something was proven: the first step that still asks for something, else tokens. Runs in the
 * transaction that burns the answered challenge.
 */
export async function advance(pool: SignInPorts, trx: Db, user: UserRow, progress: Progress): Promise<SignInStep> {
  for (const step of STEPS) {
    const next = await step(pool, trx, user, progress)
    if (next) return next
  }
  return await startSession(pool, trx, user, progress)
}

/** What the client is told of a step. Tokens are signed here and mails set off, after the commit. */
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
