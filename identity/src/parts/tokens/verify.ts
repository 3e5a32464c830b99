import { createHash } from 'node:crypto'

import { epochSeconds } from '@marquee/platform/runtime/clock'
import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

import type { Pool, TokenUse, VerifyPorts } from '../../base/ports.ts'
import type { SessionRow } from '../../base/tables.ts'
import { USER_SCOPE } from './issue.ts'
import { findSession } from './session-store.ts'

const IdClaims = z.object({
  token_use: z.literal('id'),
  sub: z.string(),
  'cognito:username': z.string(),
  email: z.string().optional(),
  origin_jti: z.string(),
  exp: z.number(),
})
export type IdClaims = z.infer<typeof IdClaims>

const AccessClaims = z.object({
  token_use: z.literal('access'),
  sub: z.string(),
  client_id: z.string(),
  scope: z.string(),
  origin_jti: z.string(),
  exp: z.number(),
})
export type AccessClaims = z.infer<typeof AccessClaims>

/** The token is valid, but has no access to the account of the user. */
export class MissingScope extends Error {
  override readonly name = 'MissingScope'
}

/** Checks signature, issuer, audience, kind and age of an id token. @throws when it is invalid. */
export async function readIdToken(
  pool: Pick<Pool, 'clientId' | 'clock' | 'issuer' | 'signingKeys'>,
  token: string,
): Promise<IdClaims> {
  return IdClaims.parse(await verifySignature(pool, 'id', token, pool.clientId))
}

/** Checks signature, issuer, kind and age of an access token made for any client. @throws when it is invalid. */
export async function readGrantedToken(
  pool: Pick<Pool, 'clock' | 'issuer' | 'signingKeys'>,
  token: string,
): Promise<AccessClaims> {
  return AccessClaims.parse(await verifySignature(pool, 'access', token))
}

/** Checks signature, issuer, client, kind and age of an access token. @throws when it is invalid. */
export async function readAccessToken(
  pool: Pick<Pool, 'clientId' | 'clock' | 'issuer' | 'signingKeys'>,
  token: string,
): Promise<AccessClaims> {
  const claims = await readGrantedToken(pool, token)
  if (claims.client_id !== pool.clientId) throw new errors.JWTInvalid('made for another client')
  if (!claims.scope.split(' ').includes(USER_SCOPE)) throw new MissingScope()
  return claims
}

async function verifySignature(
  pool: Pick<Pool, 'clock' | 'issuer' | 'signingKeys'>,
  use: TokenUse,
  token: string,
  audience?: string,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, keyFinder(pool, use), {
    algorithms: ['RS256'],
    issuer: pool.issuer,
    currentDate: pool.clock.now(),
    requiredClaims: ['exp', 'iat', 'sub'],
    ...(audience !== undefined && { audience }),
  })
  return payload
}

/** Another process may have made an unknown key, so the keys are reloaded if they are old. */
function keyFinder(pool: Pick<Pool, 'signingKeys'>, use: TokenUse): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await pool.signingKeys.verifier(use)(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !(await pool.signingKeys.reloadIfOld())) throw error
      return await pool.signingKeys.verifier(use)(header, token)
    }
  }
}

/** The number of verified tokens in the cache. */
export const REMEMBERED_TOKENS = 10_000
/** In characters; valid tokens are much shorter. */
export const LONGEST_TOKEN = 8_192

/** The user of a valid id token. `expiresAt` is in seconds since 1970. */
export type TokenUser = {
  userId: string
  username: string
  email: string | undefined
  originJti: string
  expiresAt: number
}

/** The token is not one of ours, has expired, or was signed out. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken'
}

/**
 * Checks id tokens for the product API. Signature and session are checked once, then cached by the hash of the token. A
 * session that ends later is rejected at once in this process, and within a second in others.
 */
export function createIdTokenVerifier(
  pool: VerifyPorts & Pick<Pool, 'endedSessions'>,
): (token: string) => Promise<TokenUser> {
  const remembered = new LRUCache<string, TokenUser>({ max: REMEMBERED_TOKENS })

  return async (token) => {
    if (token.length > LONGEST_TOKEN) throw new InvalidToken('The token is too long')
    const hash = createHash('sha256').update(token).digest('base64')
    const known = remembered.get(hash)
    const user = known ?? (await readUser(pool, token))
    if (user.expiresAt <= epochSeconds(pool.clock)) throw new InvalidToken('The token has expired')
    if (known) {
      await pool.endedSessions.refresh()
    } else {
      const session = await findSession(pool.database.read, user.userId, user.originJti)
      if (!session || session.revoked_at !== null) throw new InvalidToken('The token has been revoked')
      remembered.set(hash, user)
    }
    if (pool.endedSessions.has(user.originJti)) throw new InvalidToken('The token has been revoked')
    return user
  }
}

async function readUser(
  pool: Pick<Pool, 'clientId' | 'clock' | 'issuer' | 'signingKeys'>,
  token: string,
): Promise<TokenUser> {
  try {
    const claims = await readIdToken(pool, token)
    return {
      userId: claims.sub,
      username: claims['cognito:username'],
      email: claims.email,
      originJti: claims.origin_jti,
      expiresAt: claims.exp,
    }
  } catch (error) {
    if (!(error instanceof errors.JOSEError) && !(error instanceof z.ZodError)) throw error
    throw new InvalidToken('The token is not valid', { cause: error })
  }
}

const FRESH_SECONDS = 15 * 60

/** Whether the user proved who they are within the last quarter of an hour. */
export function isFreshSession(pool: Pick<Pool, 'clock'>, { auth_time }: Pick<SessionRow, 'auth_time'>): boolean {
  return auth_time >= epochSeconds(pool.clock) - FRESH_SECONDS
}
