import { recordEvent } from '../audit/record-event.ts'
import { invalidToken, OAuthError } from '../oauth/oauth-error.ts'
import { decide } from '../pool/decide.ts'
import type { TokenUser } from '../tokens/id-token-verifier.ts'
import { isFreshSession } from '../tokens/fresh-session.ts'
import { findSession } from '../tokens/session-store.ts'
import { findUserBySub } from '../users/user-store.ts'
import { endFlow } from './claim.ts'
import type { FlowBack } from './flow-cookie.ts'
import { addLink, findLink, removeLinksOf } from './link-store.ts'
import { ownerKeyOf } from './owner-key.ts'
import type { EventPorts, Pool } from '../base/ports.ts'

/**
 * Links the account of whoever is signed in here to who came back from the provider.
 * @throws {OAuthError} sign_in_again when the sign-in here is not fresh, already_linked when either has a link.
 */
export async function linkAccount(
  pool: EventPorts & Pick<Pool, 'database'>,
  who: TokenUser,
  flow: FlowBack,
): Promise<void> {
  await requireFreshSession(pool, who)
  const { issuer, subject } = flow.person
  await decide(pool, async (trx) => {
    await endFlow(trx, flow)
    const user = await findUserBySub(trx, who.userId)
    if (!user || user.enabled === 0) throw invalidToken()
    const created_at = pool.clock.now().toISOString()
    const link = { sub: user.sub, owner_key: ownerKeyOf(flow.person), issuer, subject, created_at }
    if (!(await addLink(trx, link))) throw new OAuthError('already_linked', 'One of the two is linked already')
    await recordEvent(pool, trx, user, 'provider-linked')
  })
  pool.mail.wake()
}

/** Whether the account can be signed in to through the provider. */
export async function isLinked(pool: Pick<Pool, 'database'>, who: TokenUser): Promise<boolean> {
  return (await findLink(pool.database.read, who.userId)) !== undefined
}

/** A link is a way in for ever: whoever makes or breaks one has just proven to own the account. */
async function requireFreshSession(
  pool: Pick<Pool, 'clock' | 'database'>,
  { userId, originJti }: TokenUser,
): Promise<void> {
  const session = await findSession(pool.database.read, userId, originJti)
  if (!session || session.revoked_at !== null) throw invalidToken()
  if (!isFreshSession(pool, session)) throw new OAuthError('sign_in_again', 'Sign in again to change this')
}

/**
 * Takes the link of an account away; without one nothing happens.
 * @throws {OAuthError} sign_in_again when the sign-in here is not fresh.
 */
export async function unlinkAccount(pool: EventPorts & Pick<Pool, 'database'>, who: TokenUser): Promise<void> {
  await requireFreshSession(pool, who)
  await decide(pool, async (trx) => {
    if ((await removeLinksOf(trx, [who.userId])) === 0) return
    const user = await findUserBySub(trx, who.userId)
    if (user) await recordEvent(pool, trx, user, 'provider-unlinked')
  })
  pool.mail.wake()
}
