import type { Db, UserRow } from '../tables.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import { claimLoginName } from './login-name-store.ts'
import { nameKey } from './names.ts'
import { passwordColumns } from './password-verifier.ts'
import { addUser } from './user-store.ts'
import type { Pool } from '../base/ports.ts'

export type NewUser = {
  sub: string
  username: string
  email: string
  password: string
  phoneNumber?: string | undefined
}

/** A user as the database first knows them: unconfirmed, with a phone number that is not proven. */
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

/** Adds a user, unless the name is somebody's. */
export async function addNewUser(trx: Db, user: UserRow): Promise<CognitoError | undefined> {
  const isFree = await claimLoginName(trx, { nameKey: nameKey(user.username), sub: user.sub, kind: 'username' })
  if (!isFree) return new CognitoError('UsernameExistsException', 'User already exists')
  await addUser(trx, user)
  return undefined
}
