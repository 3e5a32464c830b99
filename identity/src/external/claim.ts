import { burnNonce } from '../limits/nonce-store.ts'
import { decide } from '../pool/decide.ts'
import type { Db, UserRow } from '../tables.ts'
import { findUserBySub } from '../users/user-store.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import type { FlowBack } from './flow-cookie.ts'
import { findOwner } from './link-store.ts'
import { ownerKeyOf } from './owner-key.ts'
import { makeTicket } from './ticket.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

/** What the browser that came back from the provider may do next. */
export type Claim =
  | { kind: 'known'; username: string; ticket: string; redirect: string }
  | { kind: 'new'; name: string; email: string; redirect: string }

/**
 * Who came back: somebody with an account, who gets a ticket to sign in with, or somebody new, of whom the provider's
 * name and proven address are told. An equal address links nobody to an account.
 */
export async function claimFlow(pool: SealPorts & Pick<Pool, 'database'>, flow: FlowBack): Promise<Claim> {
  const { person, redirect } = flow
  const sub = await findOwner(pool.database.read, ownerKeyOf(person))
  if (sub === undefined) return { kind: 'new', name: person.name ?? '', email: person.email ?? '', redirect }
  const user = await decide(pool, async (trx) => {
    await endFlow(trx, flow)
    return await findUserBySub(trx, sub)
  })
  if (!user) throw flowOver()
  return { kind: 'known', ...entryOf(pool, user), redirect }
}

/** What the browser signs in with. */
export function entryOf(pool: SealPorts, user: UserRow): { username: string; ticket: string } {
  return { username: user.username, ticket: makeTicket(pool, user) }
}

/** Uses the flow up, in the transaction of what it is good for. @throws {OAuthError} when it was used before. */
export async function endFlow(trx: Db, { tokenId, expiresAt }: FlowBack): Promise<void> {
  const isFirst = await burnNonce(trx, `external flow ${tokenId}`, expiresAt)
  if (!isFirst) throw flowOver()
}

export function flowOver(): OAuthError {
  return new OAuthError('flow_over', 'This sign-in was used already or is too old')
}
