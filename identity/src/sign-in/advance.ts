import { epochSeconds } from '@marquee/platform/runtime/clock'

import type { Pool } from '../pool/pool.ts'
import type { Db, SessionRow, UserRow } from '../tables.ts'
import { issueTokens } from '../tokens/issue.ts'
import { SESSION_LIFETIME_MS } from '../tokens/lifetimes.ts'
import { newRefreshToken } from '../tokens/refresh-token.ts'
import { addRefreshToken, addSession } from '../tokens/session-store.ts'
import { noteSignIn } from '../users/user-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import { refusals } from '../wire/refusals.ts'

/** Where a sign-in stands after an answer: refused, or signed in. Further challenges are further members. */
export type SignInStep = CognitoError | SignedIn

export type SignedIn = { kind: 'signed-in'; user: UserRow; session: SessionRow; refreshToken: string }

/**
 * Decides what comes after the first factor, in the order of identity.md 2.7: status first, then whatever factors the
 * user still owes, then tokens. Runs in the transaction that burns the answered challenge.
 */
export async function advance(pool: Pool, trx: Db, user: UserRow): Promise<SignInStep> {
  if (user.status === 'UNCONFIRMED') return new CognitoError('UserNotConfirmedException', 'User is not confirmed.')
  return await startSession(pool, trx, user)
}

/** What the client is told of a step. Tokens are signed here, after the commit. */
export async function present(pool: Pool, step: SignedIn): Promise<object> {
  const { user, session, refreshToken } = step
  return { ChallengeParameters: {}, AuthenticationResult: await issueTokens(pool, user, session, refreshToken) }
}

async function startSession(pool: Pool, trx: Db, user: UserRow): Promise<SignInStep> {
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
