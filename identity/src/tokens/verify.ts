import { errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'

import { USER_SCOPE } from './issue.ts'
import type { Pool, TokenUse } from '../base/ports.ts'

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

/** The token is good, but not for the user's own account. */
export class MissingScope extends Error {
  override readonly name = 'MissingScope'
}

/** Checks signature, issuer, audience, kind and age of an id token. @throws whatever is wrong with it. */
export async function readIdToken(
  pool: Pick<Pool, 'clientId' | 'clock' | 'issuer' | 'signingKeys'>,
  token: string,
): Promise<IdClaims> {
  return IdClaims.parse(await verifySignature(pool, 'id', token, pool.clientId))
}

/** Checks signature, issuer, kind and age of an access token made for any client. @throws whatever is wrong with it. */
export async function readGrantedToken(
  pool: Pick<Pool, 'clock' | 'issuer' | 'signingKeys'>,
  token: string,
): Promise<AccessClaims> {
  return AccessClaims.parse(await verifySignature(pool, 'access', token))
}

/** Checks signature, issuer, client, kind and age of an access token. @throws whatever is wrong with it. */
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

/** A key that is not known yet may be one that another process has made: the keys are read again, if they are old. */
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
