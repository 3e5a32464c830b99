import { z } from 'zod'

import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse } from '../../base/errors/refusals.ts'
import { enteredName, isEmailAddress, isNewUsername } from '../../base/names.ts'
import type { EventPorts, Pool, SealPorts } from '../../base/ports.ts'
import { findSession } from '../../parts/tokens/session-store.ts'
import { isFreshSession, type TokenUser } from '../../parts/tokens/verify.ts'
import { addNewUser, newUserRow } from '../../parts/users/account.ts'
import { redeemInvitation, refuseRegistration, reserveInvitation } from '../../parts/users/registration.ts'
import { claimLoginName } from '../../parts/users/login-name-store.ts'
import { findUserBySub, lockUser } from '../../parts/users/user-store.ts'
import { invalidToken, OAuthError } from '../oauth/parameters.ts'
import { endFlow, entryOf, type FlowBack, ownerKeyOf } from './flow.ts'
import { addLink, findLink, removeLinksOf } from './link-store.ts'

/**
 * Links the account of the signed-in user to the user of the provider.
 * @throws {OAuthError} sign_in_again when the sign-in here is not fresh, already_linked when either has a link.
 */
export async function linkAccount(
  pool: EventPorts & Pick<Pool, 'database'>,
  who: TokenUser,
  flow: FlowBack,
): Promise<void> {
  await requireFreshSession(pool, who)
  const { issuer, subject } = flow.person
  await commitOrRefuse(pool, async (trx) => {
    await endFlow(trx, flow)
    // Locked, so that a concurrent deletion of the account removes the link.
    const user = await lockUser(trx, who.userId)
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

/** A link permits sign-in for ever, so changing one requires a fresh sign-in. */
async function requireFreshSession(
  pool: Pick<Pool, 'clock' | 'database'>,
  { userId, originJti }: TokenUser,
): Promise<void> {
  const session = await findSession(pool.database.read, userId, originJti)
  if (!session || session.revoked_at !== null) throw invalidToken()
  if (!isFreshSession(pool, session)) throw new OAuthError('sign_in_again', 'Sign in again to change this')
}

/**
 * Removes the link of an account, if there is one.
 * @throws {OAuthError} sign_in_again when the sign-in here is not fresh.
 */
export async function unlinkAccount(pool: EventPorts & Pick<Pool, 'database'>, who: TokenUser): Promise<void> {
  await requireFreshSession(pool, who)
  await commitOrRefuse(pool, async (trx) => {
    if ((await removeLinksOf(trx, [who.userId])) === 0) return
    const user = await findUserBySub(trx, who.userId)
    if (user) await recordEvent(pool, trx, user, 'provider-unlinked')
  })
  pool.mail.wake()
}

const PASSWORD_BYTES = 48

export const NewName = z.object({ name: z.string() })

/**
 * Creates an account with a chosen name and the address the provider has verified. Its password is random; the user can
 * set one with a password reset.
 * @throws {OAuthError} sign_up_closed, not_invited, name_invalid, name_taken, email_missing, email_taken, flow_over.
 */
export async function signUpExternally(
  pool: EventPorts & SealPorts & Pick<Pool, 'database' | 'name' | 'onUserConfirmed' | 'registration'>,
  flow: FlowBack,
  given: z.output<typeof NewName>,
): Promise<{ username: string; ticket: string }> {
  const refusal = await refuseRegistration(pool, flow.redirect)
  if (refusal === 'closed') throw new OAuthError('sign_up_closed', 'No account can be created here')
  if (refusal === 'not-invited') throw notInvited()
  const username = enteredName(given.name)
  if (!isNewUsername(username)) throw new OAuthError('name_invalid', 'This is not a name')
  const { email } = flow.person
  if (email === undefined || !isEmailAddress(email)) throw new OAuthError('email_missing', 'There is no proven address')
  const password = pool.random.bytes(PASSWORD_BYTES).toString('base64url')
  const made = newUserRow(pool, { sub: pool.random.uuid(), username, email, password })
  const user = { ...made, status: 'CONFIRMED' as const, email_verified: 1 }
  const afterCommit = await commitOrRefuse(pool, async (trx) => {
    await endFlow(trx, flow)
    if (await addNewUser(trx, user)) throw new OAuthError('name_taken', 'The name is taken')
    const isFree = await claimLoginName(trx, { nameKey: user.email_key, sub: user.sub, kind: 'email' })
    if (!isFree) throw new OAuthError('email_taken', 'An account with this address exists')
    const { issuer, subject } = flow.person
    const link = { sub: user.sub, owner_key: ownerKeyOf(flow.person), issuer, subject, created_at: user.created_at }
    if (!(await addLink(trx, link))) throw new OAuthError('already_linked', 'This person has an account')
    await recordEvent(pool, trx, user, 'signed-up')
    try {
      await reserveInvitation(pool, trx, flow.redirect, user)
      return await redeemInvitation(pool, trx, user)
    } catch (error) {
      if (error instanceof CognitoError) throw notInvited()
      throw error
    }
  })
  afterCommit()
  return entryOf(pool, user, flow.person)
}

function notInvited(): OAuthError {
  return new OAuthError('not_invited', 'An account needs an invitation that is valid')
}
