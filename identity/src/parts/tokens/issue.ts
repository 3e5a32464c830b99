import { createHmac, sign } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'

import { epochSeconds } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'

import { uuidBytes, uuidText } from '../../base/names.ts'
import type { Pool, TokenUse } from '../../base/ports.ts'
import type { Keyring } from '../../base/keys/keyring.ts'
import { sha256 } from '../../base/srp/srp.ts'
import type { SessionRow, UserRow } from '../../base/tables.ts'
import { TOKEN_LIFETIME_SECONDS } from './signing-keys.ts'

export const USER_SCOPE = 'aws.cognito.signin.user.admin'

export type AuthenticationResult = {
  AccessToken: string
  IdToken: string
  ExpiresIn: number
  TokenType: 'Bearer'
  RefreshToken?: string
}

/** Signs the id and access token of one session with Cognito's claims. */
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

/**
 * Signs one token, which lives an hour from now. It lets other requests go first and then signs at once: a signature takes
 * a quarter of a millisecond, and passing it to another thread and back half as much again.
 */
export async function signToken(
  pool: Pick<Pool, 'clock' | 'random' | 'signingKeys'>,
  use: TokenUse,
  claims: Record<string, unknown>,
): Promise<string> {
  const { kid, privateKey } = pool.signingKeys.signer(use)
  const now = epochSeconds(pool.clock)
  const times = { iat: now, exp: now + TOKEN_LIFETIME_SECONDS }
  const payload = { ...claims, ...times, jti: pool.random.uuid() }
  const signed = `${encoded({ kid, alg: 'RS256' })}.${encoded(payload)}`
  await othersFirst()
  return `${signed}.${sign('sha256', Buffer.from(signed, 'latin1'), privateKey).toString('base64url')}`
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part), 'utf8').toString('base64url')
}

const SECRET_BYTES = 48
const TOKEN = /^[A-Za-z0-9_-]{107}$/u

/**
 * A refresh token in parts. To clients it is opaque: base64url of sub (16 bytes) ‖ origin_jti (16) ‖ secret (48). The
 * ids are in it so that its row is found by user and session; the database has only its SHA-256.
 */
export type RefreshToken = { sub: string; originJti: string; text: string; hash: Buffer }

export function newRefreshToken(session: { sub: string; originJti: string }, random: Random): RefreshToken {
  return assemble(session, random.bytes(SECRET_BYTES))
}

export function readRefreshToken(text: string): RefreshToken | undefined {
  if (!TOKEN.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const token = assemble(
    { sub: uuidText(bytes.subarray(0, 16)), originJti: uuidText(bytes.subarray(16, 32)) },
    bytes.subarray(32),
  )
  return token.text === text ? token : undefined
}

/**
 * The token that replaces this one when it is rotated. It is derived from the old token and the master key, so two tabs
 * that refresh concurrently get the same one, and neither later looks like a thief.
 */
export function successorOf(token: RefreshToken, keyring: Keyring): RefreshToken {
  const mac = createHmac('sha384', keyring.current('refresh-rotation')).update(token.text, 'utf8').digest()
  return assemble(token, mac)
}

function assemble({ sub, originJti }: { sub: string; originJti: string }, secret: Uint8Array): RefreshToken {
  const bytes = Buffer.concat([uuidBytes(sub), uuidBytes(originJti), secret])
  return { sub, originJti, text: bytes.toString('base64url'), hash: sha256(bytes) }
}
