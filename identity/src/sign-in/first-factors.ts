import { fakePasskey } from '../passkeys/fake-passkey.ts'
import { listPasskeys } from '../passkeys/passkey-store.ts'
import { usableRelyingParty } from '../passkeys/relying-party.ts'
import type { Db, PasskeyRow, UserRow } from '../tables.ts'
import type { Account } from '../users/account.ts'
import { fakeHas, fakePassword } from '../users/fake-user.ts'
import type { Pool } from '../base/ports.ts'

/** What a sign-in may begin with, in the order in which it is offered (identity.md 2.8). */
const FIRST_FACTORS = ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP', 'SMS_OTP', 'WEB_AUTHN'] as const
export type FirstFactor = (typeof FIRST_FACTORS)[number]

/** Whoever is signing in, known or not: enough of an account to ask it for something. */
export type Candidate = Pick<Account, 'sub' | 'user' | 'nameKey'>

/** One in so many unknown names seems to have a passkey, or a phone. */
const FAKE_SHARE = { WEB_AUTHN: 4, SMS_OTP: 16 }

/**
 * What this name may choose from. An unknown one gets a choice like that of somebody, always the same; a code by mail
 * is offered to all, whether one would be sent or not.
 */
export async function availableFactors(
  pool: Pick<Pool, 'id' | 'keyring' | 'passkeys' | 'relyingParty'>,
  db: Db,
  candidate: Candidate,
): Promise<FirstFactor[]> {
  const passkeys = await passkeysOf(pool, db, candidate)
  const hasPhone = candidate.user
    ? candidate.user.phone_number !== null
    : fakeHas(pool, 'phone', candidate.sub, FAKE_SHARE.SMS_OTP)
  return FIRST_FACTORS.filter((factor) => {
    if (factor === 'WEB_AUTHN') return passkeys.length > 0
    return factor !== 'SMS_OTP' || hasPhone
  })
}

/** The passkeys that are asked for: real ones, or the one an unknown name seems to have. None where they cannot be. */
export async function passkeysOf(
  pool: Pick<Pool, 'id' | 'keyring' | 'passkeys' | 'relyingParty'>,
  db: Db,
  { sub, user }: Candidate,
): Promise<PasskeyRow[]> {
  const known = await listPasskeys(db, sub)
  if (!usableRelyingParty(pool)) return []
  if (user) return known
  return fakeHas(pool, 'passkey', sub, FAKE_SHARE.WEB_AUTHN) ? [fakePasskey(pool, sub)] : []
}

/** Where a first factor's code goes: nowhere, if the user could not sign in with it. */
export function reachable(user: UserRow | undefined): Pick<UserRow, 'email' | 'phone_number'> | undefined {
  const mayGet = user?.status === 'CONFIRMED' && user.enabled === 1 && user.email_verified === 1
  return mayGet ? user : undefined
}

/** Whom a challenge is made out to. */
export function subjectOf(pool: Pick<Pool, 'id' | 'keyring'>, { sub, user }: Candidate): Pick<UserRow, 'sub' | 'salt'> {
  return user ?? { sub, salt: fakePassword(pool, sub).salt }
}
