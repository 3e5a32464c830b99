import { z } from 'zod'

import { type Account, resolveAccount } from '../users/account.ts'
import * as field from '../wire/fields.ts'
import { readRequest } from '../wire/read-request.ts'
import { refusals } from '../wire/refusals.ts'
import { passwordVerifierParameters, requiredPublicValue } from './srp-challenge.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

const LoginName = z.object({ Username: field.username })

/**
 * The first step of a password sign-in (identity.md 3.3). Whether the user is there, and may sign in, is told only
 * after the password is proven.
 */
export async function startSrp(
  pool: SealPorts & Pick<Pool, 'database'>,
  parameters: ReadonlyMap<string, string>,
): Promise<object> {
  const typed = requiredLoginName(parameters)
  const A = requiredPublicValue(parameters)
  const account = await namedAccount(pool, typed)
  const ChallengeParameters = passwordVerifierParameters(pool, account, { A, flow: 'USER_SRP_AUTH' })
  return { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters }
}

/** @throws InvalidParameterException without one. */
export function requiredLoginName(parameters: ReadonlyMap<string, string>): string {
  const typed = parameters.get('USERNAME')
  if (typed === undefined) throw refusals.missing('USERNAME')
  return typed
}

/** Whom a login name means. @throws InvalidParameterException for what can be nobody's. */
export async function namedAccount(pool: Pick<Pool, 'database' | 'id' | 'keyring'>, typed: string): Promise<Account> {
  return await resolveAccount(pool, readRequest(LoginName, { Username: typed }).Username)
}
