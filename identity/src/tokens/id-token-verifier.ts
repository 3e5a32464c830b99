import { createHash } from 'node:crypto'

import { boundedMap } from '@marquee/platform/runtime/bounded-map'
import { epochSeconds } from '@marquee/platform/runtime/clock'
import { errors } from 'jose'
import { z } from 'zod'

import { findSession } from './session-store.ts'
import { readIdToken } from './verify.ts'
import type { Pool, VerifyPorts } from '../base/ports.ts'

/** This many verified tokens are remembered. */
export const REMEMBERED_TOKENS = 10_000
/** In characters; none of ours, nor of Amazon's, comes near it. */
export const LONGEST_TOKEN = 8_192

/** The bearer of a good id token. `expiresAt` is in seconds since 1970. */
export type TokenUser = {
  userId: string
  username: string
  email: string | undefined
  originJti: string
  expiresAt: number
}

/** The token is not one of ours, is too old, or was signed out. */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken'
}

/**
 * Checks id tokens for the product API. A token's signature and session are checked once and then remembered by the
 * token's hash; a session that has ended since is refused at once, or within a second where this process was not told.
 */
export function createIdTokenVerifier(
  pool: VerifyPorts & Pick<Pool, 'endedSessions'>,
): (token: string) => Promise<TokenUser> {
  const remembered = boundedMap<TokenUser>(REMEMBERED_TOKENS)

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
