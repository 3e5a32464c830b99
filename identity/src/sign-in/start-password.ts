import { timingSafeEqual } from 'node:crypto'

import { z } from 'zod'

import { openTicket, useTicket } from '../external/ticket.ts'
import { failPassword, isLockedOut, passPassword } from '../limits/lockout.ts'
import { decide } from '../pool/decide.ts'
import { verifierOf } from '../srp/verifier.ts'
import { type Account, resolveAccount } from '../users/account.ts'
import { passwordSecretOf } from '../users/password-verifier.ts'
import * as field from '../wire/fields.ts'
import { readRequest } from '../wire/read-request.ts'
import { refusals } from '../wire/refusals.ts'
import { advance, present } from './advance.ts'
import type { SignInStep } from './step.ts'
import type { SignInPorts } from './step.ts'
import type { Pool } from '../base/ports.ts'

const Login = z.object({ Username: field.username, Password: field.password })

/** USER_PASSWORD_AUTH: a sign-in with the password in the clear (identity.md 2.5). */
export async function startPassword(
  pool: SignInPorts & Pick<Pool, 'external'>,
  parameters: ReadonlyMap<string, string>,
): Promise<object> {
  const Username = parameters.get('USERNAME')
  if (Username === undefined) throw refusals.missing('USERNAME')
  const Password = parameters.get('PASSWORD')
  if (Password === undefined) throw refusals.missing('PASSWORD')
  const login = readRequest(Login, { Username, Password })
  const account = await resolveAccount(pool, login.Username)
  const ticket = openTicket(pool, login.Password)
  if (ticket) {
    const how = { ticket, deviceKey: parameters.get('DEVICE_KEY') }
    return await present(pool, await decide(pool, async (trx) => await useTicket(pool, trx, account.user, how)))
  }
  const isProven = await provePassword(pool, account, login.Password)
  const step = await decide(pool, async (trx): Promise<SignInStep> => {
    if (!isProven || !account.user) return await failPassword(pool, trx, account.sub)
    const refusal = await passPassword(pool, trx, account.sub)
    const deviceKey = parameters.get('DEVICE_KEY')
    const progress = { flow: 'USER_PASSWORD_AUTH' as const, proven: ['password' as const], deviceKey }
    return refusal ?? (await advance(pool, trx, account.user, progress))
  })
  return await present(pool, step)
}

/**
 * Whether a password given in the clear is the account's. An unknown name costs the same arithmetic; the caller counts
 * the failure. @throws NotAuthorizedException while the account is locked.
 */
async function provePassword(
  pool: Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'name'>,
  { sub, user }: Account,
  password: string,
): Promise<boolean> {
  if (await isLockedOut(pool, sub)) throw refusals.lockedOut()
  const { salt, verifier } = passwordSecretOf(pool, sub, user)
  const given = verifierOf({ poolName: pool.name, userId: sub }, password, salt)
  return timingSafeEqual(given, verifier) && user !== undefined
}
