import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

import { decide, refusals } from '../base/errors/refusals.ts'
import { burnNonce } from '../base/limits/limit-store.ts'
import { failPassword, isLockedOut, passPassword } from '../base/limits/user-limits.ts'
import type { Pool, SealPorts } from '../base/ports.ts'
import * as field from '../base/requests/fields.ts'
import { readRequest } from '../base/requests/operation.ts'
import { isExpired, sealedToken } from '../base/sealed/sealed-token.ts'
import { verifierOf } from '../base/srp/srp.ts'
import type { Db, UserRow } from '../base/tables.ts'
import { type Account, resolveAccount } from '../parts/users/account.ts'
import { fingerprintOf, passwordSecretOf } from '../parts/users/password.ts'
import { advance, present } from './advance.ts'
import type { Progress, SignInPorts, SignInStep } from './session.ts'

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

const Password = z.object({ Password: field.password })

/** A password as it was given in the clear. @throws InvalidParameterException when it can be nobody's. */
export function readPassword(given: string): string {
  return readRequest(Password, { Password: given }).Password
}

/**
 * Takes a password in the clear as first factor: goes on, or counts the failure. An unknown name costs the same
 * arithmetic, and a lock holds for the right password too.
 */
export async function answerPassword(
  pool: SignInPorts,
  trx: Db,
  { sub, user }: Pick<Account, 'sub' | 'user'>,
  { password, progress }: { password: string; progress: Progress },
): Promise<SignInStep> {
  const { salt, verifier } = passwordSecretOf(pool, sub, user)
  const isRight = timingSafeEqual(verifierOf({ poolName: pool.name, userId: sub }, password, salt), verifier)
  if (!isRight || !user) return await failPassword(pool, trx, sub)
  const refusal = await passPassword(pool, trx, sub)
  return refusal ?? (await advance(pool, trx, user, { ...progress, proven: [...progress.proven, 'password'] }))
}

/** It has to fit into the 256 characters of a password. */
const ticketToken = sealedToken({
  kind: 'external-ticket',
  schema: z.object({ sub: z.string(), fingerprint: z.string() }),
  lifetime: 60,
})
type Ticket = NonNullable<ReturnType<typeof ticketToken.open>>

/**
 * A password for one sign-in within a minute, for whom the provider has vouched: so the sign-in goes the way of every
 * other one, through Amplify and whatever else the account asks for.
 */
export function makeTicket(pool: SealPorts, user: Pick<UserRow, 'sub' | 'salt'>): string {
  return ticketToken.seal(pool, { sub: user.sub, fingerprint: fingerprintOf(user.salt) })
}

/** The ticket, if that is what somebody gave as a password. */
function openTicket(
  pool: Pick<Pool, 'clientId' | 'external' | 'id' | 'keyring'>,
  password: string,
): Ticket | undefined {
  return pool.external && ticketToken.openAtAnyAge(pool, password)
}

/** Signs in with a ticket, once; whatever comes after a password comes after it, too. */
async function useTicket(
  pool: SignInPorts,
  trx: Db,
  user: UserRow | undefined,
  { ticket, deviceKey }: { ticket: Ticket; deviceKey: string | undefined },
): Promise<SignInStep> {
  const isGood = user?.sub === ticket.sub && fingerprintOf(user.salt) === ticket.fingerprint
  if (!isGood || isExpired(pool, ticket)) return refusals.incorrectPassword()
  const isFirst = await burnNonce(trx, `external ticket ${ticket.tokenId}`, ticket.expiresAt)
  if (!isFirst) return refusals.incorrectPassword()
  return await advance(pool, trx, user, { flow: 'USER_PASSWORD_AUTH', proven: ['external'], deviceKey })
}
