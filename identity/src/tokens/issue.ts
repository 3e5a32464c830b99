import { epochSeconds } from '@marquee/platform/runtime/clock'
import { SignJWT } from 'jose'

import type { SessionRow, UserRow } from '../tables.ts'
import { TOKEN_LIFETIME_SECONDS } from './lifetimes.ts'
import type { Pool, TokenUse } from '../base/ports.ts'

export const USER_SCOPE = 'aws.cognito.signin.user.admin'

export type AuthenticationResult = {
  AccessToken: string
  IdToken: string
  ExpiresIn: number
  TokenType: 'Bearer'
  RefreshToken?: string
}

/** Signs the id and access token of one session with Cognito's claims (identity.md 5.2). */
export async function issueTokens(
  pool: Pick<Pool, 'clock' | 'issuer' | 'random' | 'signingKeys'>,
  user: UserRow,
  session: SessionRow,
  refreshToken?: string,
): Promise<AuthenticationResult> {
  const shared = {
    sub: user.sub,
    iss: pool.issuer,
    origin_jti: session.origin_jti,
    event_id: session.event_id,
    auth_time: session.auth_time,
  }
  const [AccessToken, IdToken] = await Promise.all([
    signToken(pool, 'access', {
      ...shared,
      token_use: 'access',
      client_id: session.client_id,
      scope: USER_SCOPE,
      username: user.username,
      ...(session.device_key !== null && { device_key: session.device_key }),
    }),
    signToken(pool, 'id', {
      ...shared,
      token_use: 'id',
      aud: session.client_id,
      'cognito:username': user.username,
      email: user.email,
      email_verified: user.email_verified === 1,
      ...(user.phone_number !== null && { phone_number: user.phone_number, phone_number_verified: true }),
    }),
  ])
  return {
    AccessToken,
    IdToken,
    ExpiresIn: TOKEN_LIFETIME_SECONDS,
    TokenType: 'Bearer',
    ...(refreshToken !== undefined && { RefreshToken: refreshToken }),
  }
}

/** Signs one token, which lives an hour from now. */
export async function signToken(
  pool: Pick<Pool, 'clock' | 'random' | 'signingKeys'>,
  use: TokenUse,
  claims: Record<string, unknown>,
): Promise<string> {
  const { kid, privateKey } = pool.signingKeys.signer(use)
  const now = epochSeconds(pool.clock)
  return await new SignJWT(claims)
    .setProtectedHeader({ kid, alg: 'RS256' })
    .setIssuedAt(now)
    .setExpirationTime(now + TOKEN_LIFETIME_SECONDS)
    .setJti(pool.random.uuid())
    .sign(privateKey)
}
