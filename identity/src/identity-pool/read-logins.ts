import { errors } from 'jose'
import { z } from 'zod'

import { findSession } from '../tokens/session-store.ts'
import { type IdClaims, readIdToken } from '../tokens/verify.ts'
import type { CognitoError } from '../wire/cognito-error.ts'
import { notAuthorized } from '../wire/refusals.ts'
import type { Pool, VerifyPorts } from '../base/ports.ts'

/**
 * Who signs in to the identity pool: the `sub` of the one id token that counts here, our own; undefined for guests,
 * who bring none.
 * @throws {CognitoError} NotAuthorizedException for a token of somebody else's, or one that is not good any more.
 */
export async function readLogins(
  pool: VerifyPorts,
  logins: ReadonlyMap<string, string> | undefined,
): Promise<string | undefined> {
  if (logins === undefined || logins.size === 0) return undefined
  const token = logins.get(pool.issuer.replace(/^https?:\/\//u, ''))
  if (token === undefined || logins.size > 1) {
    throw notAuthorized('Token is not from a supported provider of this identity pool.')
  }
  const claims = await readToken(pool, token)
  const session = await findSession(pool.database.read, claims.sub, claims.origin_jti)
  if (!session || session.revoked_at !== null) throw notGood()
  return claims.sub
}

async function readToken(
  pool: Pick<Pool, 'clientId' | 'clock' | 'issuer' | 'signingKeys'>,
  token: string,
): Promise<IdClaims> {
  try {
    return await readIdToken(pool, token)
  } catch (error) {
    if (error instanceof errors.JWTExpired) {
      const now = Math.floor(pool.clock.now().getTime() / 1000)
      throw notAuthorized(`Invalid login token. Token expired: ${now} >= ${String(error.payload.exp)}`)
    }
    if (error instanceof errors.JOSEError || error instanceof z.ZodError) throw notGood()
    throw error
  }
}

function notGood(): CognitoError {
  return notAuthorized('Invalid login token. Not a valid OpenId Connect identity token.')
}
