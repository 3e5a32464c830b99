import { epochSeconds } from '@marquee/platform/runtime/clock'

import type { Pool } from '../pool/pool.ts'
import type { Db, SessionRow, UserRow } from '../tables.ts'
import { SESSION_LIFETIME_MS } from '../tokens/lifetimes.ts'
import { newRefreshToken } from '../tokens/refresh-token.ts'
import { addRefreshToken, addSession } from '../tokens/session-store.ts'
import { noteSignIn } from '../users/user-store.ts'
import type { CognitoError } from '../wire/cognito-error.ts'
import { refusals } from '../wire/refusals.ts'
import type { SignedIn } from './step.ts'

/** Opens the signed-in session with its refresh token, unless the user changed at this very moment. */
export async function startSession(pool: Pool, trx: Db, user: UserRow): Promise<CognitoError | SignedIn> {
  const now = pool.clock.now()
  if (!(await noteSignIn(trx, user, now.toISOString()))) return refusals.incorrectPassword()
  const originJti = pool.random.uuid()
  const session: SessionRow = {
    sub: user.sub,
    origin_jti: originJti,
    client_id: pool.clientId,
    event_id: pool.random.uuid(),
    auth_time: epochSeconds(pool.clock),
    expires_at: new Date(now.getTime() + SESSION_LIFETIME_MS).toISOString(),
    revoked_at: null,
  }
  await addSession(trx, session)
  const token = newRefreshToken({ sub: user.sub, originJti }, pool.random)
  await addRefreshToken(trx, {
    sub: user.sub,
    origin_jti: originJti,
    token_hash: token.hash,
    expires_at: session.expires_at,
    replaced_at: null,
  })
  return { kind: 'signed-in', user, session, refreshToken: token.text }
}
