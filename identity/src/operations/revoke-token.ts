import { z } from 'zod'

import { readRefreshToken } from '../tokens/refresh-token.ts'
import { findRefreshToken, findSession, revokeSession } from '../tokens/session-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { Pool } from '../base/ports.ts'

const RevokeToken = z.object({ ClientId: field.clientId, Token: field.token })
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/u

/**
 * Ends the session a refresh token of this client belongs to, also a rotated-out one; an unknown token is no error
 * (identity.md 5.5).
 */
export const revokeToken = operation(
  RevokeToken,
  async (pool: Pick<Pool, 'clock' | 'database' | 'endedSessions'>, input) => {
    if (JWT.test(input.Token)) {
      throw new CognitoError('UnsupportedTokenTypeException', 'Unsupported token type')
    }
    const token = readRefreshToken(input.Token)
    if (!token) return {}
    const key = { sub: token.sub, origin_jti: token.originJti, token_hash: token.hash }
    const session = await findSession(pool.database.read, token.sub, token.originJti)
    if (session?.client_id !== input.ClientId || !(await findRefreshToken(pool.database.read, key))) return {}
    const now = pool.clock.now().toISOString()
    await pool.database.transaction(async (trx) => {
      await revokeSession(trx, token.sub, token.originJti, now)
    })
    pool.endedSessions.add([token.originJti])
    return {}
  },
)
