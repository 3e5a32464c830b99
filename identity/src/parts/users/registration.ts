import { notAuthorized } from '../../base/errors/refusals.ts'
import type { Pool } from '../../base/ports.ts'
import type { Db, UserRow } from '../../base/tables.ts'

/** A path of the web app without query, where the user goes after signing in. */
const RETURN_PATH = /^\/[\w/-]{1,200}$/u

/** The path that a sign-up came from, in its client metadata; undefined if it is missing or no such path. */
export function returnPathIn(clientMetadata: ReadonlyMap<string, string>): string | undefined {
  const path = clientMetadata.get('redirect') ?? ''
  return RETURN_PATH.test(path) ? path : undefined
}

/** Why an account may not be created; undefined if it may. `path` is where the visitor came from. */
export async function refuseRegistration(
  { registration }: Pick<Pool, 'registration'>,
  path: string | undefined,
): Promise<'closed' | 'not-invited' | undefined> {
  if (registration.kind === 'open') return undefined
  if (registration.kind === 'closed') return 'closed'
  return path !== undefined && (await registration.isInvitation(path)) ? undefined : 'not-invited'
}

/** The messages of `SignUp`. The first is Cognito's. */
const MESSAGES = {
  closed: 'SignUp is not permitted for this user pool',
  'not-invited': 'SignUp is permitted only with an invitation that is valid',
} as const

/** @throws {CognitoError} NotAuthorizedException if no account may be created. */
export async function requireRegistration(pool: Pick<Pool, 'registration'>, path: string | undefined): Promise<void> {
  const refusal = await refuseRegistration(pool, path)
  if (refusal !== undefined) throw notAuthorized(MESSAGES[refusal])
}

/**
 * Uses the invitation up for a new account. A refusal is thrown, so that the transaction of the account rolls back.
 * @throws {CognitoError} NotAuthorizedException if it is for another address, or used up.
 */
export async function reserveInvitation(
  { registration }: Pick<Pool, 'registration'>,
  trx: Db,
  path: string | undefined,
  { sub, email }: Pick<UserRow, 'sub' | 'email'>,
): Promise<void> {
  if (registration.kind !== 'invited') return
  const isReserved = path !== undefined && (await registration.reserve(trx, { path, sub, email }))
  if (!isReserved) throw notAuthorized(MESSAGES['not-invited'])
}

/**
 * Redeems the invitation of an account that is confirmed. Returns what to do after the commit.
 * @throws {CognitoError} NotAuthorizedException if the account waited too long, and its invitation is used up.
 */
export async function redeemInvitation(
  { registration, onUserConfirmed }: Pick<Pool, 'registration' | 'onUserConfirmed'>,
  trx: Db,
  { sub, username }: Pick<UserRow, 'sub' | 'username'>,
): Promise<() => void> {
  const { isAdmitted, afterCommit } = await onUserConfirmed(trx, { sub, username })
  if (!isAdmitted && registration.kind === 'invited') throw notAuthorized(MESSAGES['not-invited'])
  return afterCommit
}
