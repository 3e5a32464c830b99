import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { decide } from '../pool/decide.ts'
import { claimLoginName } from '../users/login-name-store.ts'
import { enteredName, isEmailAddress, isEmailShaped, isUsername } from '../users/names.ts'
import { addNewUser, newUserRow } from '../users/new-user.ts'
import { entryOf, endFlow } from './claim.ts'
import type { FlowBack } from './flow-cookie.ts'
import { addLink } from './link-store.ts'
import { ownerKeyOf } from './owner-key.ts'
import type { EventPorts, Pool, SealPorts } from '../base/ports.ts'

const PASSWORD_BYTES = 48

export const NewName = z.object({ name: z.string() })

/**
 * Makes an account for somebody who has none, under a name of their choice and the address the provider has proven. Its
 * password is nobody's; one can be set as after forgetting it.
 * @throws {OAuthError} name_invalid, name_taken, email_missing, email_taken, flow_over.
 */
export async function signUpExternally(
  pool: EventPorts & SealPorts & Pick<Pool, 'database' | 'name'>,
  flow: FlowBack,
  given: z.output<typeof NewName>,
): Promise<{ username: string; ticket: string }> {
  const username = enteredName(given.name)
  if (!isUsername(username) || isEmailShaped(username)) throw new OAuthError('name_invalid', 'This is no name')
  const { email } = flow.person
  if (email === undefined || !isEmailAddress(email)) throw new OAuthError('email_missing', 'There is no proven address')
  const password = pool.random.bytes(PASSWORD_BYTES).toString('base64url')
  const made = newUserRow(pool, { sub: pool.random.uuid(), username, email, password })
  const user = { ...made, status: 'CONFIRMED' as const, email_verified: 1 }
  await decide(pool, async (trx) => {
    await endFlow(trx, flow)
    if (await addNewUser(trx, user)) throw new OAuthError('name_taken', 'The name is taken')
    const isFree = await claimLoginName(trx, { nameKey: user.email_key, sub: user.sub, kind: 'email' })
    if (!isFree) throw new OAuthError('email_taken', 'An account with this address exists')
    const { issuer, subject } = flow.person
    const link = { sub: user.sub, owner_key: ownerKeyOf(flow.person), issuer, subject, created_at: user.created_at }
    if (!(await addLink(trx, link))) throw new OAuthError('already_linked', 'This person has an account')
    await recordEvent(pool, trx, user, 'signed-up')
  })
  return entryOf(pool, user)
}
