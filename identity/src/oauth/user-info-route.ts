import type { FastifyInstance } from 'fastify'
import { errors } from 'jose'
import { z } from 'zod'

import { findSession } from '../tokens/session-store.ts'
import { type AccessClaims, readGrantedToken } from '../tokens/verify.ts'
import { findUserBySub } from '../users/user-store.ts'
import { findClient } from './clients.ts'
import { invalidToken, OAuthError } from './oauth-error.ts'
import { claimsOf, usernameFor } from './user-claims.ts'
import type { Pool } from '../base/ports.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'issuer' | 'oauthClients' | 'signingKeys'>

const BEARER = /^Bearer +([\w.~+/=-]+) *$/iu

/** `GET` and `POST /oauth2/userInfo`: what the scopes of an access token let its tool know. */
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
