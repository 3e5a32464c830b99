import { timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import { failPassword, passPassword } from '../limits/lockout.ts'
import { verifierOf } from '../srp/verifier.ts'
import type { Db } from '../tables.ts'
import type { Account } from '../users/account.ts'
import { passwordSecretOf } from '../users/password-verifier.ts'
import * as field from '../wire/fields.ts'
import { readRequest } from '../wire/read-request.ts'
import { advance } from './advance.ts'
import type { Progress } from './session.ts'
import type { SignInStep } from './step.ts'
import type { SignInPorts } from './step.ts'

const Password = z.object({ Password: field.password })

/** A password as it was given in the clear. @throws InvalidParameterException when it can be nobody's. */
export function readPassword(given: string): string {
  return readRequest(Password, { Password: given }).Password
}

/**
 * Takes a password in the clear as first factor: goes on, or counts the failure. An unknown name costs the same
 * arithmetic, and a lock holds for the right password too.
 */
export async function answerPassword(
  pool: SignInPorts,
  trx: Db,
  { sub, user }: Pick<Account, 'sub' | 'user'>,
  { password, progress }: { password: string; progress: Progress },
): Promise<SignInStep> {
  const { salt, verifier } = passwordSecretOf(pool, sub, user)
  const isRight = timingSafeEqual(verifierOf({ poolName: pool.name, userId: sub }, password, salt), verifier)
  if (!isRight || !user) return await failPassword(pool, trx, sub)
  const refusal = await passPassword(pool, trx, sub)
  return refusal ?? (await advance(pool, trx, user, { ...progress, proven: [...progress.proven, 'password'] }))
}
