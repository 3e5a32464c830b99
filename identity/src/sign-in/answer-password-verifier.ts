import { together } from '@marquee/platform/database/statement-runner'

import { type CognitoError, commitOrRefuse, refusals } from '../base/errors/refusals.ts'
import { burnNonce, isBurned } from '../base/limits/limit-store.ts'
import { failPassword, isLockedOut, passPassword } from '../base/limits/user-limits.ts'
import type { Pool } from '../base/ports.ts'
import type { Db, UserRow } from '../base/tables.ts'
import { passwordSecretOf } from '../parts/users/password.ts'
import { findUserBySub } from '../parts/users/user-store.ts'
import { advance, present, requireActiveUser } from './advance.ts'
import type { ChallengeAnswer } from './answer.ts'
import { continueCustom } from './custom.ts'
import { refuseUnknownDevice } from './device-step.ts'
import { type NextChallenge, type Progress, readSession, type SignInPorts, type SignInStep } from './session.ts'
import { type Claim, isProof, isSameUser, readClaim, readSecretBlock, type SecretBlock } from './srp.ts'

/** The password came first, custom challenges follow. */
type ToBeChallenged = { kind: 'to be challenged'; user: UserRow }

const AFTER_PASSWORD = [
  { challengeName: 'SRP_A', challengeResult: true },
  { challengeName: 'PASSWORD_VERIFIER', challengeResult: true },
]

/**
 * The second step of a password sign-in: checks the proof and continues. Known and unknown users take the same path and
 * the same arithmetic.
 */
export async function answerPasswordVerifier(pool: SignInPorts, answer: ChallengeAnswer): Promise<object> {
  const { session, responses } = answer
  const claim = readClaim(responses)
  const state = readSecretBlock(pool, 'secret-block', claim.secretBlock)
  requireSession(pool, state, session)
  if (!(await isSameUser(pool, claim.username, state.sub))) throw refusals.incorrectPassword()
  const [isLocked, user] = await together(isLockedOut(pool, state.sub), findUserBySub(pool.database.read, state.sub))
  if (isLocked) throw refusals.lockedOut()
  const isProven = await isPasswordProof(pool, claim, state, user)
  const progress: Progress = { flow: state.flow, proven: ['password'], deviceKey: responses.get('DEVICE_KEY') }
  const passed = await commitOrRefuse(pool, async (trx) => {
    if (!isProven || !user) return await failPassword(pool, trx, state.sub)
    const refusal = await passPassword(pool, trx, state.sub)
    return refusal ?? (await passFirstFactor(pool, trx, { state, user, progress }))
  })
  if (passed.kind !== 'to be challenged') return await present(pool, passed)
  const { clientMetadata } = answer
  const candidate = { sub: state.sub, user: passed.user, nameKey: '' }
  return await continueCustom(pool, { candidate, rounds: [...AFTER_PASSWORD], progress, clientMetadata })
}

/** In flows other than USER_SRP_AUTH the answer must also carry the session of the challenge. */
function requireSession(
  pool: Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring'>,
  state: SecretBlock,
  text: string | undefined,
): void {
  if (state.flow === 'USER_SRP_AUTH') return
  if (text === undefined) throw refusals.missing('Session')
  const { sub, flow } = readSession(pool, text, 'PASSWORD_VERIFIER')
  if (sub !== state.sub || flow !== state.flow) throw refusals.invalidSession()
}

async function isPasswordProof(
  pool: Pick<Pool, 'id' | 'keyring' | 'name'>,
  claim: Claim,
  state: SecretBlock,
  user: UserRow | undefined,
): Promise<boolean> {
  const secret = passwordSecretOf(pool, state.sub, user)
  return await isProof(claim, state, { owner: { poolName: pool.name, userId: state.sub }, ...secret })
}

/** Uses up the block, unless there is a refusal: then the same answer may be sent again. */
async function passFirstFactor(
  pool: SignInPorts,
  trx: Db,
  { state, user, progress }: { state: SecretBlock; user: UserRow; progress: Progress },
): Promise<SignInStep | ToBeChallenged> {
  const step =
    state.flow === 'CUSTOM_AUTH'
      ? await passToCustom(pool, trx, user, progress)
      : await advance(pool, trx, user, progress)
  // Thrown, not returned: a replayed block leaves no trace, not even a cleared lockout.
  if (step instanceof Error) {
    if (await isBurned(trx, state.tokenId)) throw refusals.spentSession()
    return step
  }
  if (!(await burnNonce(trx, state.tokenId, state.expiresAt))) throw refusals.spentSession()
  return step
}

/** The plug-in continues after the transaction, and only for users who may sign in. */
async function passToCustom(
  pool: SignInPorts,
  trx: Db,
  user: UserRow,
  progress: Progress,
): Promise<CognitoError | NextChallenge | ToBeChallenged> {
  const refusal =
    (await requireActiveUser(pool, trx, user, progress)) ??
    (await refuseUnknownDevice(pool, trx, user.sub, progress.deviceKey))
  return refusal ?? { kind: 'to be challenged', user }
}
