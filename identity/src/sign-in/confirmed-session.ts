import { epochSeconds } from '@marquee/platform/runtime/clock'
import { z } from 'zod'

import { burnNonce } from '../limits/nonce-store.ts'
import { decide } from '../pool/decide.ts'
import type { Pool } from '../pool/pool.ts'
import { openValue, type SealedFor, sealValue } from '../sealed/sealed-value.ts'
import type { UserRow } from '../tables.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import { findUserBySub } from '../users/user-store.ts'
import { refusals } from '../wire/refusals.ts'
import { advance, present } from './advance.ts'
import { isSameUser } from './same-user.ts'
import type { SignInStep } from './step.ts'
import { requiredLoginName } from './start-srp.ts'

const LIFETIME_SECONDS = 180

const Content = z.object({ sub: z.string(), fingerprint: z.string(), expiresAt: z.number(), nonce: z.string() })

/** Says that this user has just proven the address, to whoever sent the code: good for one sign-in, for 3 minutes. */
export function makeConfirmedSession(pool: Pool, user: Pick<UserRow, 'sub' | 'salt'>): string {
  return sealValue(pool, sealedFor(pool), {
    sub: user.sub,
    fingerprint: fingerprintOf(user.salt),
    expiresAt: epochSeconds(pool.clock) + LIFETIME_SECONDS,
    nonce: pool.random.bytes(16).toString('hex'),
  }).toString('base64url')
}

/** Signs in with the session that ConfirmSignUp gave (identity.md 2.8); a second factor is asked for as ever. */
export async function startConfirmed(
  pool: Pool,
  parameters: ReadonlyMap<string, string>,
  text: string,
): Promise<object> {
  const named = requiredLoginName(parameters)
  const { data: proof } = Content.safeParse(openValue(pool.keyring, sealedFor(pool), Buffer.from(text, 'base64url')))
  if (!proof || !(await isSameUser(pool, named, proof.sub))) throw refusals.invalidSession()
  if (proof.expiresAt <= epochSeconds(pool.clock)) throw refusals.expiredSession()
  const step = await decide(pool, async (trx): Promise<SignInStep> => {
    const user = await findUserBySub(trx, proof.sub)
    if (!user || fingerprintOf(user.salt) !== proof.fingerprint) return refusals.invalidSession()
    const expiresAt = new Date(proof.expiresAt * 1000).toISOString()
    if (!(await burnNonce(trx, proof.nonce, expiresAt))) return refusals.spentSession()
    return await advance(pool, trx, user, { flow: 'USER_AUTH', proven: ['email'] })
  })
  return await present(pool, step)
}

function sealedFor(pool: Pool): SealedFor {
  return { kind: 'confirmed', poolId: pool.id, clientId: pool.clientId }
}
