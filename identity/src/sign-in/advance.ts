import type { Db, UserRow } from '../tables.ts'
import { newDeviceOf } from '../devices/new-device.ts'
import { issueTokens } from '../tokens/issue.ts'
import type { Progress } from './session.ts'
import { startSession } from './start-session.ts'
import type { NextChallenge, SignedIn, SignInStep, Step } from './step.ts'
import { requireGoodStanding } from './steps/good-standing.ts'
import { refuseForgottenDevice, requireDevice } from './steps/device.ts'
import { requireNewPassword } from './steps/new-password.ts'
import { requireSecondFactor } from './steps/second-factor.ts'
import type { SignInPorts } from './step.ts'
import type { Pool } from '../base/ports.ts'

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
