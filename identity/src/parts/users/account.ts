import { fakeSub } from '../../base/decoys.ts'

import { CognitoError } from '../../base/errors/refusals.ts'
import { isEmailShaped, isUuid, nameKey } from '../../base/names.ts'
import type { Pool } from '../../base/ports.ts'
import type { Db, UserRow } from '../../base/tables.ts'
import { claimLoginName, findLoginName, findNewestPending } from './login-name-store.ts'
import { passwordColumns } from './password.ts'
import { addUser, findUserBySub } from './user-store.ts'

/**
 * The account of a login name. An unknown name gets a decoy `sub`, under which codes, quotas and lockouts are kept as
 * for a real one, so that an outsider cannot tell them apart.
 */
export type Account = { sub: string; user: UserRow | undefined; nameKey: string; isNamedByUsername: boolean }

/**
 * Finds the account of a typed name: the username, else the verified e-mail, else the newest unconfirmed user with that
 * e-mail, else the `sub`. Which statements run depends only on the form of the name.
 */
export async function resolveAccount(pool: Pick<Pool, 'database' | 'id' | 'keyring'>, typed: string): Promise<Account> {
  const key = nameKey(typed)
  const db = pool.database.read
  const [named, pendingSub] = await Promise.all([
    findLoginName(db, { nameKey: key }),
    isEmailShaped(key) ? findNewestPending(db, key) : undefined,
  ])
  const unknownSub = fakeSub(pool, key)
  const user = await findUserBySub(db, named?.sub ?? pendingSub ?? (isUuid(key) ? key : unknownSub))
  return { sub: user?.sub ?? unknownSub, user, nameKey: key, isNamedByUsername: named?.kind === 'username' }
}

/** The account for a password reset, which requires a verified e-mail. Other users are treated as unknown. */
export async function resolveResettable(
  pool: Pick<Pool, 'database' | 'id' | 'keyring'>,
  typed: string,
): Promise<Account> {
  const account = await resolveAccount(pool, typed)
  const { user } = account
  return user && mayReset(user) ? account : asUnknown(pool, account)
}

/** Whether a code may reset the password of a user. */
export function mayReset(user: Pick<UserRow, 'status' | 'enabled' | 'email_verified'>): boolean {
  const isConfirmed = user.status === 'CONFIRMED' || user.status === 'RESET_REQUIRED'
  return isConfirmed && user.enabled === 1 && user.email_verified === 1
}

/**
 * The account for confirming a sign-up. A confirmed user is only found by username, which SignUp reveals anyway; an
 * address is treated as unknown.
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

export type FoundUser = { userId: string; username: string; email: string | undefined }

/** The confirmed user of that username, compared without case; e-mail addresses do not count. */
export async function findConfirmedUser(
  pool: Pick<Pool, 'database'>,
  username: string,
): Promise<FoundUser | undefined> {
  const user = await findUserByUsername(pool.database.read, username)
  if (!user || user.status === 'UNCONFIRMED') return undefined
  return { userId: user.sub, username: user.username, email: user.email_verified === 1 ? user.email : undefined }
}

/** The user with that verified e-mail address, compared without case. */
export async function findUserByEmail(
  { database }: Pick<Pool, 'database'>,
  email: string,
): Promise<FoundUser | undefined> {
  const name = await findLoginName(database.read, { nameKey: nameKey(email) })
  const user = name?.kind === 'email' ? await findUserBySub(database.read, name.sub) : undefined
  return user && { userId: user.sub, username: user.username, email: user.email }
}

/** The user of that username, compared without case; e-mail addresses do not count. */
export async function findUserByUsername(db: Db, username: string): Promise<UserRow | undefined> {
  const name = await findLoginName(db, { nameKey: nameKey(username) })
  return name?.kind === 'username' ? await findUserBySub(db, name.sub) : undefined
}

export type NewUser = {
  sub: string
  username: string
  email: string
  password: string
  phoneNumber?: string | undefined
}

/** A new user row: unconfirmed, with an unverified phone number. */
export function newUserRow(pool: Pick<Pool, 'clock' | 'id' | 'keyring' | 'name' | 'random'>, made: NewUser): UserRow {
  const now = pool.clock.now().toISOString()
  return {
    sub: made.sub,
    username: made.username,
    email: made.email,
    email_key: nameKey(made.email),
    email_verified: 0,
    status: 'UNCONFIRMED',
    ...passwordColumns(pool, made.sub, made.password),
    created_at: now,
    updated_at: now,
    signed_in_at: null,
    enabled: 1,
    temporary_until: null,
    pending_email: null,
    phone_number: null,
    pending_phone: made.phoneNumber ?? null,
    mfa_methods: '',
    mfa_preferred: null,
  }
}

/** Adds a user, unless the name is taken. */
export async function addNewUser(trx: Db, user: UserRow): Promise<CognitoError | undefined> {
  const isFree = await claimLoginName(trx, { nameKey: nameKey(user.username), sub: user.sub, kind: 'username' })
  if (!isFree) return new CognitoError('UsernameExistsException', 'User already exists')
  await addUser(trx, user)
  return undefined
}
