import { together } from '@marquee/platform/database/statement-runner'
import { epochSeconds } from '@marquee/platform/runtime/clock'

import { coarseClient, recordEvent } from '../base/audit/record-event.ts'
import { type CognitoError, notAuthorized, refusals } from '../base/errors/refusals.ts'
import type { EventPorts, Pool } from '../base/ports.ts'
import type { Db, SessionRow, UserRow } from '../base/tables.ts'
import { recordDeviceSignIn } from '../parts/devices/device-store.ts'
import { newDeviceColumns, newDeviceOf } from '../parts/devices/device.ts'
import { issueTokens, newRefreshToken } from '../parts/tokens/issue.ts'
import { addRefreshToken, addSession } from '../parts/tokens/session-store.ts'
import { SESSION_LIFETIME_MS } from '../parts/tokens/signing-keys.ts'
import { recordSignIn } from '../parts/users/user-store.ts'
import { refuseForgottenDevice, requireDevice } from './device-step.ts'
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

type Ports = Pick<Pool, 'clock' | 'issuer' | 'mail' | 'random' | 'signingKeys'>

/** Rejects users who may not sign in, but only after the first factor. */
export const requireActiveUser: Step = async (_pool, _trx, user) => {
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

/** The steps between the first factor and the tokens, in this order. */
const STEPS: readonly Step[] = [
  requireActiveUser,
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

/** Opens the signed-in session with its refresh token, unless user or device changed in the meantime. */
async function startSession(
  pool: EventPorts & Pick<Pool, 'clientId' | 'id' | 'tracksDevices'>,
  trx: Db,
  user: UserRow,
  progress: Progress,
): Promise<CognitoError | SignedIn> {
  const now = pool.clock.now()
  if (!(await recordSignIn(trx, user, now.toISOString()))) return refusals.incorrectPassword()
  const device = await deviceColumns(pool, trx, user.sub, progress)
  if (!device) return refusals.unknownDevice()
  return await addSignedIn(pool, trx, user, {
    clientId: pool.clientId,
    authTime: progress.authTime ?? epochSeconds(pool.clock),
    client: coarseClient(pool.userAgent),
    device,
  })
}

type Opened = {
  clientId: string
  /** When the user proved who they are, here or at the external provider, in seconds since 1970. */
  authTime: number
  /** The coarse name of the program. */
  client: string
  device: Pick<SessionRow, 'device_key' | 'device_group_key'>
}

/** Adds a session with its refresh token, after all proofs. */
export async function addSignedIn(
  pool: EventPorts,
  trx: Db,
  user: UserRow,
  { clientId, authTime, client, device }: Opened,
): Promise<SignedIn> {
  const now = pool.clock.now()
  const originJti = pool.random.uuid()
  const session: SessionRow = {
    sub: user.sub,
    origin_jti: originJti,
    client_id: clientId,
    event_id: pool.random.uuid(),
    auth_time: authTime,
    expires_at: new Date(now.getTime() + SESSION_LIFETIME_MS).toISOString(),
    revoked_at: null,
    client,
    used_at: null,
    ...device,
  }
  const token = newRefreshToken({ sub: user.sub, originJti }, pool.random)
  const refreshToken = {
    sub: user.sub,
    origin_jti: originJti,
    token_hash: token.hash,
    expires_at: session.expires_at,
    replaced_at: null,
  }
  await together(
    addSession(trx, session),
    addRefreshToken(trx, refreshToken),
    recordEvent(pool, trx, user, 'signed-in'),
  )
  return { kind: 'signed-in', user, session, refreshToken: token.text }
}

/** The device of the session: the one that proved itself, or a new one on offer. Undefined when it was removed. */
async function deviceColumns(
  pool: Pick<Pool, 'clock' | 'id' | 'random' | 'tracksDevices'>,
  trx: Db,
  sub: string,
  { proven, deviceKey }: Progress,
): Promise<Pick<SessionRow, 'device_key' | 'device_group_key'> | undefined> {
  if (!pool.tracksDevices) return { device_key: null, device_group_key: null }
  if (deviceKey === undefined || !proven.includes('device')) return newDeviceColumns(pool)
  const known = { device_key: deviceKey, device_group_key: null }
  const isThere = await recordDeviceSignIn(trx, { sub, device_key: deviceKey }, pool.clock.now().toISOString())
  return isThere ? known : undefined
}
