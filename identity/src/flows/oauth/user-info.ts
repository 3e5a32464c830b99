import type { FastifyInstance } from 'fastify'
import { errors } from 'jose'
import { z } from 'zod'

import type { Pool } from '../../base/ports.ts'
import { sha256 } from '../../base/srp/srp.ts'
import type { SessionRow, UserRow } from '../../base/tables.ts'
import { signToken } from '../../parts/tokens/issue.ts'
import { findSession } from '../../parts/tokens/session-store.ts'
import { TOKEN_LIFETIME_SECONDS } from '../../parts/tokens/signing-keys.ts'
import { type AccessClaims, readGrantedToken } from '../../parts/tokens/verify.ts'
import { findUserBySub } from '../../parts/users/user-store.ts'
import { findClient } from './clients.ts'
import { invalidToken, OAuthError } from './parameters.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'issuer' | 'oauthClients' | 'signingKeys'>

const BEARER = /^Bearer +([\w.~+/=-]+) *$/iu

/** `GET` and `POST /oauth2/userInfo`: the claims that the scopes of an access token permit. */
export function mountUserInfo(app: FastifyInstance, pool: Ports): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/oauth2/userInfo',
    handler: async ({ headers }) => await userInfo(pool, BEARER.exec(headers.authorization ?? '')?.[1]),
  })
}

async function userInfo(pool: Ports, token: string | undefined): Promise<object> {
  const claims = await readClaims(pool, token)
  const scopes = claims.scope.split(' ')
  if (!findClient(pool.oauthClients, claims.client_id) || !scopes.includes('openid')) {
    throw new OAuthError('insufficient_scope', 'The token is not for this', 403, {
      'www-authenticate': 'Bearer realm="marquee", error="insufficient_scope", scope="openid"',
    })
  }
  const [user, session] = await Promise.all([
    findUserBySub(pool.database.read, claims.sub),
    findSession(pool.database.read, claims.sub, claims.origin_jti),
  ])
  if (!user || user.enabled === 0 || !session || session.revoked_at !== null) throw invalidToken()
  return { sub: user.sub, username: usernameFor(user, scopes), ...claimsOf(user, scopes) }
}

async function readClaims(
  pool: Pick<Pool, 'clock' | 'issuer' | 'signingKeys'>,
  token: string | undefined,
): Promise<AccessClaims> {
  if (token === undefined) {
    throw new OAuthError('invalid_request', 'An access token is needed', 401, {
      'www-authenticate': 'Bearer realm="marquee"',
    })
  }
  try {
    return await readGrantedToken(pool, token)
  } catch (error) {
    throw error instanceof errors.JOSEError || error instanceof z.ZodError ? invalidToken() : error
  }
}

/** The claims that the scopes permit, with the names of OpenID Connect. */
function claimsOf(user: UserRow, scopes: readonly string[]): Record<string, string | boolean> {
  return {
    ...(scopes.includes('profile') && { preferred_username: user.username }),
    ...(scopes.includes('email') && { email: user.email, email_verified: user.email_verified === 1 }),
    ...(scopes.includes('phone') &&
      user.phone_number !== null && { phone_number: user.phone_number, phone_number_verified: true }),
  }
}

/**
 * The `username` claim, which Cognito always sends and clients expect: the username with the profile scope, else the
 * `sub`.
 */
function usernameFor({ sub, username }: Pick<UserRow, 'sub' | 'username'>, scopes: readonly string[]): string {
  return scopes.includes('profile') ? username : sub
}

/** The reply to a tool, with an `id_token` if it asked for `openid`. */
export type TokenReply = {
  access_token: string
  id_token?: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

/** Signs the tokens of a session of another tool: their audience is that tool alone. */
export async function presentTokens(
  pool: Pick<Pool, 'clock' | 'issuer' | 'random' | 'signingKeys'>,
  { user, session, refreshToken }: { user: UserRow; session: SessionRow; refreshToken: string },
  { scope, nonce }: { scope: string; nonce?: string | undefined },
): Promise<TokenReply> {
  const { sub, origin_jti, event_id, auth_time, client_id } = session
  const both = { sub, iss: pool.issuer, origin_jti, event_id, auth_time }
  const scopes = scope.split(' ')
  const username = usernameFor(user, scopes)
  const access = await signToken(pool, 'access', {
    ...both,
    token_use: 'access',
    client_id,
    scope,
    username,
    version: 2,
  })
  const idToken =
    scopes.includes('openid') &&
    (await signToken(pool, 'id', {
      ...both,
      ...claimsOf(user, scopes),
      token_use: 'id',
      aud: client_id,
      'cognito:username': username,
      at_hash: sha256(Buffer.from(access, 'ascii')).subarray(0, 16).toString('base64url'),
      ...(nonce !== undefined && { nonce }),
    }))
  return {
    access_token: access,
    ...(idToken !== false && { id_token: idToken }),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: TOKEN_LIFETIME_SECONDS,
    scope,
  }
}
