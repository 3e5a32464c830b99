import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import { checkSignUpSession, makeSignUpSession } from '../sign-in/sign-up-session.ts'
import type { Db, UserRow } from '../tables.ts'
import { resolveSigningUp } from '../users/account.ts'
import { checkCode, burnCode } from '../users/code.ts'
import { removeCodesSentTo, returnTry } from '../users/code-store.ts'
import { claimLoginName, moveLoginName, removePendingEmail } from '../users/login-name-store.ts'
import { confirmUser, unverifyEmail } from '../users/user-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { notAuthorized, refusals } from '../wire/refusals.ts'
import type { EventPorts, Pool, SealPorts } from '../base/ports.ts'

const ConfirmSignUp = z.object({
  ClientId: field.clientId,
  Username: field.username,
  ConfirmationCode: field.code,
  ForceAliasCreation: field.flag.optional(),
  Session: field.session.optional(),
})

const PURPOSE = 'sign-up'

/**
 * Proves the address with the mailed code: from now on the user may sign in, also by e-mail. The session of the reply is
 * good for one sign-in with USER_AUTH.
 */
export const confirmSignUp = operation(
  ConfirmSignUp,
  async (pool: EventPorts & SealPorts & Pick<Pool, 'database'>, input) => {
    const { sub, user } = await resolveSigningUp(pool, input.Username)
    if (input.Session !== undefined) checkSignUpSession(pool, input.Session, sub)
    const code = input.ConfirmationCode
    const confirmed = await decide(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'ConfirmSignUp', sub)
      if (refusal) return refusal
      const verdict = await checkCode(pool, trx, { sub, purpose: PURPOSE, code })
      if (verdict === 'wrong') return refusals.codeMismatch()
      // Only who has the code may learn that the account is confirmed already.
      if (verdict === 'spent') return notAuthorized('User cannot be confirmed. Current status is CONFIRMED')
      if (verdict === 'none') return refusals.expiredCode()
      // The code of a name that is nobody's was never sent to anyone.
      if (!user) return refusals.codeMismatch()
      return (await confirm(pool, trx, user, input.ForceAliasCreation ?? false)) ?? user
    })
    return { Session: makeSignUpSession(pool, confirmed, 'ConfirmSignUp') }
  },
)

async function confirm(pool: EventPorts, trx: Db, user: UserRow, force: boolean): Promise<CognitoError | undefined> {
  const { sub, email_key: emailKey } = user
  const now = pool.clock.now().toISOString()
  const isFree = await claimLoginName(trx, { nameKey: emailKey, sub, kind: 'email' })
  if (!isFree && !force) {
    // The code was right, so it stays good until it expires.
    await returnTry(trx, { sub, purpose: PURPOSE })
    return new CognitoError('AliasExistsException', 'An account with the email already exists.')
  }
  if (!isFree) {
    const holder = await moveLoginName(trx, emailKey, sub)
    if (holder !== undefined) {
      await unverifyEmail(trx, holder, now)
      await removeCodesSentTo(trx, 'email', holder)
    }
  }
  await burnCode(pool, trx, sub, PURPOSE)
  // Thrown, so that nothing stays of it: the user was swept away at this very moment.
  if (!(await confirmUser(trx, sub, now))) throw refusals.expiredCode()
  await removePendingEmail(trx, emailKey, sub)
  await recordEvent(pool, trx, user, 'signed-up')
  return undefined
}
