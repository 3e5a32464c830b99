import { sha256 } from '../srp/group.ts'
import type { SessionRow, UserRow } from '../tables.ts'
import { signToken } from '../tokens/issue.ts'
import { TOKEN_LIFETIME_SECONDS } from '../tokens/lifetimes.ts'
import { claimsOf, usernameFor } from './user-claims.ts'
import type { Pool } from '../base/ports.ts'

/** What a tool is answered; `id_token` where it asked for `openid`. */
export type TokenReply = {
  access_token: string
  id_token?: string
  refresh_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
}

/** Signs the tokens of a session of another tool (identity.md 5.2): their audience is that tool alone. */
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
