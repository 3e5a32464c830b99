import { epochSeconds } from '@marquee/platform/runtime/clock'
import { z } from 'zod'

import { burnNonce } from '../limits/nonce-store.ts'
import type { Pool } from '../pool/pool.ts'
import { openValue, type SealedFor, sealValue } from '../sealed/sealed-value.ts'
import { advance } from '../sign-in/advance.ts'
import type { SignInStep } from '../sign-in/step.ts'
import type { Db, UserRow } from '../tables.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import { refusals } from '../wire/refusals.ts'

const LIFETIME_SECONDS = 60

/** Short names, since a password may have 256 characters. */
const Content = z.object({ sub: z.string(), fp: z.string(), exp: z.number(), n: z.string() })
type Ticket = z.output<typeof Content>

/**
 * A password for one sign-in within a minute, for whom the provider has vouched: so the sign-in goes the way of every
 * other one, through Amplify and whatever else the account asks for.
 */
export function makeTicket(pool: Pool, user: Pick<UserRow, 'sub' | 'salt'>): string {
  const ticket: Ticket = {
    sub: user.sub,
    fp: fingerprintOf(user.salt),
    exp: epochSeconds(pool.clock) + LIFETIME_SECONDS,
    n: pool.random.bytes(16).toString('base64url'),
  }
  return sealValue(pool, sealedFor(pool), ticket).toString('base64url')
}

/** The ticket, if that is what somebody gave as a password. */
export function openTicket(pool: Pool, password: string): Ticket | undefined {
  if (!pool.external) return undefined
  return Content.safeParse(openValue(pool.keyring, sealedFor(pool), Buffer.from(password, 'base64url'))).data
}

/** Signs in with a ticket, once; whatever comes after a password comes after it, too. */
export async function useTicket(
  pool: Pool,
  trx: Db,
  user: UserRow | undefined,
  { ticket, deviceKey }: { ticket: Ticket; deviceKey: string | undefined },
): Promise<SignInStep> {
  const isGood = user?.sub === ticket.sub && fingerprintOf(user.salt) === ticket.fp
  if (!isGood || ticket.exp <= epochSeconds(pool.clock)) return refusals.incorrectPassword()
  const isFirst = await burnNonce(trx, `external ticket ${ticket.n}`, new Date(ticket.exp * 1000).toISOString())
  if (!isFirst) return refusals.incorrectPassword()
  return await advance(pool, trx, user, { flow: 'USER_PASSWORD_AUTH', proven: ['external'], deviceKey })
}

function sealedFor(pool: Pool): SealedFor {
  return { kind: 'external-ticket', poolId: pool.id, clientId: pool.clientId }
}
