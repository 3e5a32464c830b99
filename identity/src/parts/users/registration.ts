import { notAuthorized } from '../../base/errors/refusals.ts'
import type { Pool } from '../../base/ports.ts'

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
