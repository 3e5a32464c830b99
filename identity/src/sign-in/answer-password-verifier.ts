import { failPassword, isLockedOut, passPassword } from '../limits/lockout.ts'
import { burnNonce } from '../limits/nonce-store.ts'
import { decide } from '../pool/decide.ts'
import type { Pool } from '../pool/pool.ts'
import type { Db, UserRow } from '../tables.ts'
import { fakePassword } from '../users/fake-user.ts'
import { openVerifier } from '../users/password-verifier.ts'
import { findUserBySub } from '../users/user-store.ts'
import { refusals } from '../wire/refusals.ts'
import { advance, present } from './advance.ts'
import type { ChallengeAnswer } from './challenges/answer.ts'
import { isSameUser } from './same-user.ts'
import { readSecretBlock, type SecretBlock } from './secret-block.ts'
import { readSession } from './session.ts'
import { type Claim, isProof, readClaim } from './srp-claim.ts'
import type { SignInStep } from './step.ts'

/**
 * The second step of a password sign-in: checks the proof and goes on to whatever comes next (identity.md 3.5). Known
 * and unknown users take the same way and the same arithmetic.
 */
export async function answerPasswordVerifier(pool: Pool, { session, responses }: ChallengeAnswer): Promise<object> {
  const claim = readClaim(responses)
  const state = readSecretBlock(pool, 'secret-block', claim.secretBlock)
  requireSession(pool, state, session)
  if (!(await isSameUser(pool, claim.username, state.sub))) throw refusals.incorrectPassword()
  if (await isLockedOut(pool, state.sub)) throw refusals.lockedOut()
  const user = await findUserBySub(pool.database.read, state.sub)
  const isProven = isPasswordProof(pool, claim, state, user)
  const step = await decide(pool, async (trx) => {
    if (!isProven || !user) return await failPassword(pool, trx, state.sub)
    return await passFirstFactor(pool, trx, state, user, responses.get('DEVICE_KEY'))
  })
  return await present(pool, step)
}

/** In the flows that give a session along with the block, it comes back with the answer (identity.md 2.8). */
function requireSession(pool: Pool, state: SecretBlock, text: string | undefined): void {
  if (state.flow === 'USER_SRP_AUTH') return
  if (text === undefined) throw refusals.missing('Session')
  const { sub, flow } = readSession(pool, text, 'PASSWORD_VERIFIER')
  if (sub !== state.sub || flow !== state.flow) throw refusals.invalidSession()
}

function isPasswordProof(pool: Pool, claim: Claim, state: SecretBlock, user: UserRow | undefined): boolean {
  const secret = user ? { salt: user.salt, verifier: openVerifier(pool, user) } : fakePassword(pool, state.sub)
  return isProof(claim, state, { owner: { poolName: pool.name, userId: state.sub }, ...secret })
}

async function passFirstFactor(
  pool: Pool,
  trx: Db,
  state: SecretBlock,
  user: UserRow,
  deviceKey: string | undefined,
): Promise<SignInStep> {
  const refusal = await passPassword(pool, trx, state.sub)
  if (refusal) return refusal
  const step = await advance(pool, trx, user, { flow: state.flow, proven: ['password'], deviceKey })
  if (step instanceof Error) return step
  // Thrown, not returned: a block that is sent again leaves no trace, not even a cleared lockout.
  const expiresAt = new Date(state.expiresAt * 1000).toISOString()
  if (!(await burnNonce(trx, state.nonce, expiresAt))) throw refusals.spentSession()
  return step
}
