import { epochSeconds } from '@marquee/platform/runtime/clock'
import { z } from 'zod'

import { commitOrRefuse, refusals } from '../base/errors/refusals.ts'
import { burnNonce } from '../base/limits/limit-store.ts'
import { failPassword, isLockedOut, passPassword } from '../base/limits/user-limits.ts'
import type { Pool, SealPorts } from '../base/ports.ts'
import * as field from '../base/requests/fields.ts'
import { readRequest } from '../base/requests/operation.ts'
import { isExpired, sealedToken } from '../base/sealed/sealed-token.ts'
import type { Db, UserRow } from '../base/tables.ts'
import { type Account, resolveAccount } from '../parts/users/account.ts'
import { fingerprintOf, isPasswordOf } from '../parts/users/password.ts'
import { advance, present } from './advance.ts'
import type { Progress, SignInPorts, SignInStep } from './session.ts'

const Login = z.object({ Username: field.username, Password: field.password })

/** USER_PASSWORD_AUTH: a sign-in with the password in the clear. */
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
    return await present(pool, await commitOrRefuse(pool, async (trx) => await useTicket(pool, trx, account.user, how)))
  }
  if (await isLockedOut(pool, account.sub)) throw refusals.lockedOut()
  const isProven = isPasswordOf(pool, account, login.Password)
  const step = await commitOrRefuse(pool, async (trx): Promise<SignInStep> => {
    if (!isProven || !account.user) return await failPassword(pool, trx, account.sub)
    const refusal = await passPassword(pool, trx, account.sub)
    const deviceKey = parameters.get('DEVICE_KEY')
    const progress = { flow: 'USER_PASSWORD_AUTH' as const, proven: ['password' as const], deviceKey }
    return refusal ?? (await advance(pool, trx, account.user, progress))
  })
  return await present(pool, step)
}

const Password = z.object({ Password: field.password })

/** Checks the form of a password. @throws InvalidParameterException when it cannot be a password. */
export function readPassword(given: string): string {
  return readRequest(Password, { Password: given }).Password
}

/**
 * Checks a password given in the clear as first factor, and counts a failure. An unknown name costs the same
 * arithmetic, and a lock also stops the right password.
 */
export async function answerPassword(
  pool: SignInPorts,
  trx: Db,
  account: Pick<Account, 'sub' | 'user'>,
  { password, progress }: { password: string; progress: Progress },
): Promise<SignInStep> {
  const { sub, user } = account
  if (!isPasswordOf(pool, account, password) || !user) return await failPassword(pool, trx, sub)
  const refusal = await passPassword(pool, trx, sub)
  return refusal ?? (await advance(pool, trx, user, { ...progress, proven: [...progress.proven, 'password'] }))
}

const TICKET_SECONDS = 60
/** Six digits: a ticket has to fit into the 256 characters of a password. */
const MOST_AGE_SECONDS = 999_999
const ticketToken = sealedToken({
  kind: 'external-ticket',
  schema: z.object({
    sub: z.string(),
    fingerprint: z.string(),
    /** How many seconds ago the user signed in at the provider, when the ticket was made. */
    age: z.number().optional(),
  }),
  lifetime: TICKET_SECONDS,
})
type Ticket = NonNullable<ReturnType<typeof ticketToken.open>>

/**
 * A one-time password, valid for a minute, after a sign-in at the provider. It is used like any password, so every
 * client and every later step works unchanged.
 * @param authTime when the user signed in at the provider, in seconds since 1970
 */
export function makeTicket(pool: SealPorts, user: Pick<UserRow, 'sub' | 'salt'>, authTime?: number): string {
  const age = authTime === undefined ? undefined : Math.max(0, Math.floor(epochSeconds(pool.clock) - authTime))
  return ticketToken.seal(pool, {
    sub: user.sub,
    fingerprint: fingerprintOf(user.salt),
    ...(age !== undefined && { age: Math.min(age, MOST_AGE_SECONDS) }),
  })
}

/** The ticket, if the password is one. */
function openTicket(
  pool: Pick<Pool, 'clientId' | 'external' | 'id' | 'keyring'>,
  password: string,
): Ticket | undefined {
  return pool.external && ticketToken.openAtAnyAge(pool, password)
}

/** Signs in with a ticket, once. The steps after a password follow. */
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
  const { age, expiresAt } = ticket
  const authTime = age === undefined ? undefined : expiresAt - TICKET_SECONDS - age
  return await advance(pool, trx, user, { flow: 'USER_PASSWORD_AUTH', proven: ['external'], deviceKey, authTime })
}
