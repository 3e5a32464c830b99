import { timingSafeEqual } from 'node:crypto'

import { failPassword, isLockedOut, passPassword } from '../limits/lockout.ts'
import { burnNonce } from '../limits/nonce-store.ts'
import { decide } from '../pool/decide.ts'
import type { Pool } from '../pool/pool.ts'
import { claimSignature, sessionKey } from '../srp/handshake.ts'
import type { Db, UserRow } from '../tables.ts'
import { fakePassword } from '../users/fake-user.ts'
import { fingerprintOf, openVerifier } from '../users/password-verifier.ts'
import { findUserBySub } from '../users/user-store.ts'
import { invalidParameter, refusals } from '../wire/refusals.ts'
import { advance, present } from './advance.ts'
import type { ChallengeAnswer } from './challenges/answer.ts'
import { isSameUser } from './same-user.ts'
import { readSecretBlock, type SecretBlock } from './secret-block.ts'
import type { SignInStep } from './step.ts'

const TIMESTAMP =
  /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2} \d\d:\d\d:\d\d \w{3,5} \d{4}$/u

type Claim = { username: string; secretBlock: Buffer; signature: Buffer; timestamp: string }

/**
 * The second step of a password sign-in: checks the proof and goes on to whatever comes next (identity.md 3.5). Known
 * and unknown users take the same way and the same arithmetic.
 */
export async function answerPasswordVerifier(pool: Pool, { responses }: ChallengeAnswer): Promise<object> {
  const claim = readClaim(responses)
  const state = readSecretBlock(pool, claim.secretBlock)
  if (!(await isSameUser(pool, claim.username, state.sub))) throw refusals.incorrectPassword()
  if (await isLockedOut(pool, state.sub)) throw refusals.lockedOut()

  const user = await findUserBySub(pool.database.read, state.sub)
  const isProven = isProof(pool, claim, state, user)
  const step = await decide(pool, async (trx) => {
    if (!isProven || !user) return await failPassword(pool, trx, state.sub)
    return await passFirstFactor(pool, trx, state, user, responses.get('DEVICE_KEY'))
  })
  return await present(pool, step)
}

function readClaim(responses: ReadonlyMap<string, string>): Claim {
  const required = (name: string) => {
    const value = responses.get(name)
    if (value === undefined) throw refusals.missing(name)
    return value
  }
  const timestamp = required('TIMESTAMP')
  // Only its form matters: it is part of the signed text, and browsers with a wrong clock must get in.
  if (!TIMESTAMP.test(timestamp)) {
    throw invalidParameter('TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.')
  }
  return {
    username: required('USERNAME'),
    secretBlock: Buffer.from(required('PASSWORD_CLAIM_SECRET_BLOCK'), 'base64'),
    signature: Buffer.from(required('PASSWORD_CLAIM_SIGNATURE'), 'base64'),
    timestamp,
  }
}

function isProof(pool: Pool, claim: Claim, state: SecretBlock, user: UserRow | undefined): boolean {
  const { salt, verifier } = user
    ? { salt: user.salt, verifier: openVerifier(pool, user) }
    : fakePassword(pool, state.sub)
  const key = sessionKey(state, verifier)
  if (!key) return false
  const expected = claimSignature(key, { poolName: pool.name, userId: state.sub }, claim)
  const isSigned = claim.signature.length === expected.length && timingSafeEqual(claim.signature, expected)
  return isSigned && state.fingerprint === fingerprintOf(salt)
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
  const step = await advance(pool, trx, user, { flow: 'USER_SRP_AUTH', proven: ['password'], deviceKey })
  if (step instanceof Error) return step
  // Thrown, not returned: a block that is sent again leaves no trace, not even a cleared lockout.
  const expiresAt = new Date(state.expiresAt * 1000).toISOString()
  if (!(await burnNonce(trx, state.nonce, expiresAt))) throw refusals.spentSession()
  return step
}
