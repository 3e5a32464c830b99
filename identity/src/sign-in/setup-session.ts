import type { Db, UserRow } from '../tables.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import { findUserBySub } from '../users/user-store.ts'
import { refusals } from '../wire/refusals.ts'
import { maySetUp } from './offered-factors.ts'
import { readSession, type Session } from './session.ts'
import type { Pool } from '../base/ports.ts'

/** Who must set up a second factor to go on. @throws NotAuthorizedException when the session is at nothing like that. */
export async function readSetupSession(
  pool: Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring'>,
  db: Db,
  text: string,
): Promise<{ session: Session; user: UserRow }> {
  const session = readSession(pool, text, 'MFA_SETUP')
  const user = await findUserBySub(db, session.sub)
  const isSame = user !== undefined && fingerprintOf(user.salt) === session.fingerprint
  if (!isSame || session.proven.includes('mfa') || !(await maySetUp(db, user))) throw refusals.invalidSession()
  return { session, user }
}
