import { errors } from 'jose'
import { z } from 'zod'

import { MINUTE_MS } from '@marquee/platform/runtime/durations'

import { recordEvent } from '../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse, notAuthorized, refusals } from '../base/errors/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'
import type { Db, RefreshTokenRow, SessionRow, UserRow } from '../base/tables.ts'
import { findDevice } from '../parts/devices/device-store.ts'
import {
  type AuthenticationResult,
  issueTokens,
  readRefreshToken,
  type RefreshToken,
  successorOf,
} from '../parts/tokens/issue.ts'
import {
  addRefreshToken,
  findRefreshToken,
  findSession,
  markReplaced,
  recordSessionUse,
} from '../parts/tokens/session-store.ts'
import { type AccessClaims, MissingScope, readAccessToken } from '../parts/tokens/verify.ts'
import { findUserBySub, lockUser } from '../parts/users/user-store.ts'
import { endSession } from './end-sessions.ts'

/** For how long a rotated refresh token is still accepted, so that two tabs may race. */
const ROTATION_GRACE_MS = MINUTE_MS

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'keyring' | 'tracksDevices'>

/**
 * The user and session of an access token: correctly signed, not expired, of an existing user and a session that was
 * not ended.
 */
export async function authorize(
  pool: VerifyPorts,
  accessToken: string,
): Promise<{ user: UserRow; session: SessionRow }> {
  const claims = await readClaims(pool, accessToken)
  const [user, session] = await Promise.all([
    findUserBySub(pool.database.read, claims.sub),
    findSession(pool.database.read, claims.sub, claims.origin_jti),
  ])
  if (!user) throw refusals.unknownUser()
  if (user.enabled === 0) throw refusals.disabled()
  if (!session || session.revoked_at !== null) throw notAuthorized('Access Token has been revoked')
  return { user, session }
}

/**
 * The user of `authorize` as the row is now, locked until the transaction ends.
 * @throws UserNotFoundException if it was removed meanwhile.
 */
export async function lockCaller(trx: Db, { sub }: Pick<UserRow, 'sub'>): Promise<UserRow> {
  const user = await lockUser(trx, sub)
  if (!user) throw refusals.unknownUser()
  return user
}

async function readClaims(
  pool: Pick<Pool, 'clientId' | 'clock' | 'issuer' | 'signingKeys'>,
  accessToken: string,
): Promise<AccessClaims> {
  try {
    return await readAccessToken(pool, accessToken)
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw notAuthorized('Access Token has expired')
    if (error instanceof MissingScope) throw notAuthorized('Access Token does not have required scopes')
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw notAuthorized('Invalid Access Token')
    throw error
  }
}

const MAX_SUCCESSORS = 100

type Holder = { row: RefreshTokenRow; session: SessionRow; user: UserRow }

/** New id and access tokens of the pool's own client for a refresh token. */
export async function refreshSession(
  pool: Ports,
  text: string,
  how: { rotate: boolean; deviceKey: string | undefined },
): Promise<AuthenticationResult> {
  const { user, session, next } = await renewSession(pool, text, { ...how, clientId: pool.clientId })
  return await issueTokens(pool, user, session, next?.text)
}

type Renewed = Pick<Holder, 'user' | 'session'> & { next: RefreshToken | undefined }

/**
 * Accepts a refresh token of a client. With `rotate` a new token replaces it, with the same end of life. A replaced
 * token that is used after the grace period has been stolen, so the session ends.
 */
export async function renewSession(
  pool: Ports,
  text: string,
  { rotate, deviceKey, clientId }: { rotate: boolean; deviceKey: string | undefined; clientId: string },
): Promise<Renewed> {
  const token = readRefreshToken(text)
  if (!token) throw notAuthorized('Invalid Refresh Token')
  const refreshed = await commitOrRefuse(pool, async (trx) => {
    const holder = await findHolder(pool, trx, token, clientId)
    if (holder instanceof CognitoError) return holder
    if (!(await isOnItsDevice(pool, trx, holder.session, deviceKey))) return notAuthorized('Invalid Refresh Token.')
    if (isReuse(pool, holder.row)) {
      if (await endSession(trx, token.sub, token.originJti, pool.clock.now().toISOString())) {
        await recordEvent(pool, trx, holder.user, 'session-stolen')
      }
      return { ...holder, isStolen: true, next: undefined }
    }
    await recordSessionUse(trx, holder.session, pool.clock.now().toISOString())
    return { ...holder, isStolen: false, next: rotate ? await rotateToken(pool, trx, token, holder.row) : undefined }
  })
  if (refreshed.isStolen) {
    pool.endedSessions.add([token.originJti])
    pool.mail.wake()
    throw rotate
      ? new CognitoError('RefreshTokenReuseException', 'Refresh token reuse detected')
      : notAuthorized('Refresh Token has been revoked')
  }
  return refreshed
}

async function findHolder(
  pool: Pick<Pool, 'clock'>,
  trx: Db,
  token: RefreshToken,
  clientId: string,
): Promise<Holder | CognitoError> {
  const row = await findRefreshToken(trx, keyOf(token))
  const session = await findSession(trx, token.sub, token.originJti)
  if (!row || !session || session.client_id !== clientId) return notAuthorized('Invalid Refresh Token')
  if (session.revoked_at !== null) return notAuthorized('Refresh Token has been revoked')
  if (row.expires_at <= pool.clock.now().toISOString()) return notAuthorized('Refresh Token has expired')
  const user = await findUserBySub(trx, token.sub)
  if (!user) return notAuthorized('The user has been deleted for the associated refresh token')
  if (user.enabled === 0) return refusals.disabled()
  if (user.status === 'RESET_REQUIRED') return refusals.resetRequired()
  return { row, session, user }
}

/** A session on a confirmed device is refreshed only by naming that device. */
async function isOnItsDevice(
  pool: Pick<Pool, 'tracksDevices'>,
  trx: Db,
  { sub, device_key }: SessionRow,
  named: string | undefined,
): Promise<boolean> {
  if (!pool.tracksDevices || device_key === null || device_key === named) return true
  return (await findDevice(trx, { sub, device_key })) === undefined
}

function isReuse(pool: Pick<Pool, 'clock'>, row: RefreshTokenRow): boolean {
  if (row.replaced_at === null) return false
  return pool.clock.now().getTime() > new Date(row.replaced_at).getTime() + ROTATION_GRACE_MS
}

/** The newest successor of this token: created now, or by a concurrent refresh within the grace period. */
async function rotateToken(
  pool: Pick<Pool, 'clock' | 'keyring'>,
  trx: Db,
  token: RefreshToken,
  row: RefreshTokenRow,
): Promise<RefreshToken> {
  let newest = successorOf(token, pool.keyring)
  if (row.replaced_at === null) {
    await markReplaced(trx, row, pool.clock.now().toISOString())
    await addRefreshToken(trx, { ...keyOf(newest), expires_at: row.expires_at, replaced_at: null })
    return newest
  }
  for (let step = 0; step < MAX_SUCCESSORS; step += 1) {
    const known = await findRefreshToken(trx, keyOf(newest))
    if (!known || known.replaced_at === null) break
    newest = successorOf(newest, pool.keyring)
  }
  return newest
}

function keyOf(token: RefreshToken): Pick<RefreshTokenRow, 'sub' | 'origin_jti' | 'token_hash'> {
  return { sub: token.sub, origin_jti: token.originJti, token_hash: token.hash }
}
