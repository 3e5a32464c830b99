import { errors } from 'jose'
import { z } from 'zod'

import type { SessionRow, UserRow } from '../tables.ts'
import { findUserBySub } from '../users/user-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import { notAuthorized, refusals } from '../wire/refusals.ts'
import { findSession } from './session-store.ts'
import { type AccessClaims, MissingScope, readAccessToken } from './verify.ts'
import type { Pool, VerifyPorts } from '../base/ports.ts'

/**
 * Whose access token this is, for the operations that need one (identity.md 2.0): well signed, young enough, of a user
 * who is still there and a session that was not ended.
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
  if (!user) throw new CognitoError('UserNotFoundException', 'User does not exist.')
  if (user.enabled === 0) throw refusals.disabled()
  if (!session || session.revoked_at !== null) throw notAuthorized('Access Token has been revoked')
  return { user, session }
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
