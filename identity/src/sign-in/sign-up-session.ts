import { z } from 'zod'

import { commitOrRefuse, refusals } from '../base/errors/refusals.ts'
import { burnNonce } from '../base/limits/limit-store.ts'
import type { Pool, SealPorts } from '../base/ports.ts'
import { requireUnexpired, sealedToken } from '../base/sealed/sealed-token.ts'
import type { UserRow } from '../base/tables.ts'
import { fingerprintOf } from '../parts/users/password.ts'
import { findUserBySub } from '../parts/users/user-store.ts'
import { advance, present } from './advance.ts'
import { SIGN_IN_SECONDS, type SignInPorts, type SignInStep } from './session.ts'
import { isSameUser, requiredLoginName } from './srp.ts'

/** What the operation proves: SignUp the password, ConfirmSignUp the mailbox. */
const PROVES = { SignUp: 'password', ConfirmSignUp: 'email' } as const
type SignUpOperation = keyof typeof PROVES

const Content = z.object({
  after: z.enum(['SignUp', 'ConfirmSignUp']),
  sub: z.string(),
  fingerprint: z.string(),
})
const signUpSession = sealedToken({ kind: 'sign-up', schema: Content, lifetime: SIGN_IN_SECONDS })

/** A session that signs the new user in without a password: once, within 3 minutes, and not before the confirmation. */
export function makeSignUpSession(
  pool: SealPorts,
  user: Pick<UserRow, 'sub' | 'salt'>,
  after: SignUpOperation,
): string {
  return signUpSession.seal(pool, { after, sub: user.sub, fingerprint: fingerprintOf(user.salt) })
}

/**
 * Checks the session that a client passes from SignUp to ConfirmSignUp. It may have expired, because the code is the
 * proof here. @throws NotAuthorizedException when it belongs to another user.
 */
export function checkSignUpSession(pool: Pick<Pool, 'clientId' | 'id' | 'keyring'>, text: string, sub: string): void {
  if (signUpSession.openAtAnyAge(pool, text)?.sub !== sub) throw refusals.invalidSession()
}

/** Signs in with the session of SignUp or ConfirmSignUp. A second factor is asked for as in every sign-in. */
export async function startSignedUp(
  pool: SignInPorts,
  parameters: ReadonlyMap<string, string>,
  text: string,
): Promise<object> {
  const named = requiredLoginName(parameters)
  const session = signUpSession.openAtAnyAge(pool, text)
  if (!session || !(await isSameUser(pool, named, session.sub))) throw refusals.invalidSession()
  requireUnexpired(pool, session)
  const step = await commitOrRefuse(pool, async (trx): Promise<SignInStep> => {
    const user = await findUserBySub(trx, session.sub)
    if (!user || fingerprintOf(user.salt) !== session.fingerprint) return refusals.invalidSession()
    // The client asks again until the link is opened.
    if (user.status === 'UNCONFIRMED') return refusals.notConfirmed()
    if (!(await burnNonce(trx, session.tokenId, session.expiresAt))) return refusals.spentSession()
    return await advance(pool, trx, user, { flow: 'USER_AUTH', proven: [PROVES[session.after]] })
  })
  return await present(pool, step)
}
