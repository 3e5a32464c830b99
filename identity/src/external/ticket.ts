import { z } from 'zod'

import { burnNonce } from '../limits/nonce-store.ts'
import { isExpired, sealedToken } from '../sealed/sealed-token.ts'
import { advance } from '../sign-in/advance.ts'
import type { SignInStep } from '../sign-in/step.ts'
import type { Db, UserRow } from '../tables.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import { refusals } from '../wire/refusals.ts'
import type { SignInPorts } from '../sign-in/step.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

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
export function openTicket(
  pool: Pick<Pool, 'clientId' | 'external' | 'id' | 'keyring'>,
  password: string,
): Ticket | undefined {
  return pool.external && ticketToken.openAtAnyAge(pool, password)
}

/** Signs in with a ticket, once; whatever comes after a password comes after it, too. */
export async function useTicket(
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
