import type { UserRow } from '../tables.ts'
import { fakeSub } from './fake-user.ts'
import { findLoginName, findNewestPending } from './login-name-store.ts'
import { isEmailShaped, isUuid, nameKey } from './names.ts'
import { findUserBySub } from './user-store.ts'
import type { Pool } from '../base/ports.ts'

/**
 * Whom a login name means. A name that is nobody's gets a made-up `sub`, under which codes, quotas and lockouts are
 * kept just as for a real one, so that nothing an outsider sees tells the two apart (identity.md 2.12, 3.10).
 */
export type Account = { sub: string; user: UserRow | undefined; nameKey: string; isNamedByUsername: boolean }

/**
 * Finds who is meant by what somebody typed (identity.md 4.4): the username, else the verified e-mail, else the newest
 * unconfirmed user with that e-mail, else the `sub`. Which statements run depends on the name's form alone.
 */
export async function resolveAccount(pool: Pick<Pool, 'database' | 'id' | 'keyring'>, typed: string): Promise<Account> {
  const key = nameKey(typed)
  const db = pool.database.read
  const [named, pendingSub] = await Promise.all([
    findLoginName(db, key),
    isEmailShaped(key) ? findNewestPending(db, key) : undefined,
  ])
  const unknownSub = fakeSub(pool, key)
  const user = await findUserBySub(db, named?.sub ?? pendingSub ?? (isUuid(key) ? key : unknownSub))
  return { sub: user?.sub ?? unknownSub, user, nameKey: key, isNamedByUsername: named?.kind === 'username' }
}

/**
 * The same for a password reset, which only a user with a proven e-mail can get: to everybody else the answer is the
 * one for an unknown name.
 */
export async function resolveResettable(
  pool: Pick<Pool, 'database' | 'id' | 'keyring'>,
  typed: string,
): Promise<Account> {
  const account = await resolveAccount(pool, typed)
  const { user } = account
  return user && mayReset(user) ? account : asUnknown(pool, account)
}

/** Whether a user's password may be set anew with a code. */
export function mayReset(user: Pick<UserRow, 'status' | 'enabled' | 'email_verified'>): boolean {
  const isConfirmed = user.status === 'CONFIRMED' || user.status === 'RESET_REQUIRED'
  return isConfirmed && user.enabled === 1 && user.email_verified === 1
}

/**
 * The same for confirming a sign-up. A confirmed user is only found by username, whose existence SignUp tells anyway:
 * to who tries an address the answer is the one for an unknown address.
 */
export async function resolveSigningUp(
  pool: Pick<Pool, 'database' | 'id' | 'keyring'>,
  typed: string,
): Promise<Account> {
  const account = await resolveAccount(pool, typed)
  return account.user?.status === 'UNCONFIRMED' || account.isNamedByUsername ? account : asUnknown(pool, account)
}

function asUnknown(pool: Pick<Pool, 'id' | 'keyring'>, account: Account): Account {
  return { ...account, user: undefined, sub: fakeSub(pool, account.nameKey) }
}
