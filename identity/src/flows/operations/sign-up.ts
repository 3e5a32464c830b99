import { z } from 'zod'

import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse, invalidParameter, notAuthorized, refusals } from '../../base/errors/refusals.ts'
import { spendQuota } from '../../base/limits/user-limits.ts'
import { enteredName, isEmailShaped } from '../../base/names.ts'
import type { CodePorts, EventPorts, Pool, SealPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { operation } from '../../base/requests/operation.ts'
import type { Db, UserRow } from '../../base/tables.ts'
import {
  confirmationLink,
  deliveryTo,
  inLanguageOf,
  sendCode,
  simulatedDelivery,
} from '../../parts/codes/code-delivery.ts'
import { removeCodesSentTo, returnTry } from '../../parts/codes/code-store.ts'
import { burnCode, checkCode } from '../../parts/codes/code.ts'
import { addNewUser, newUserRow, resolveSigningUp } from '../../parts/users/account.ts'
import { emailRequired, readAttributes } from '../../parts/users/attributes.ts'
import {
  addPendingEmail,
  claimLoginName,
  findLoginName,
  moveLoginName,
  removePendingEmail,
} from '../../parts/users/login-name-store.ts'
import { checkPasswordPolicy } from '../../parts/users/password.ts'
import {
  redeemInvitation,
  requireRegistration,
  reserveInvitation,
  returnPathIn,
} from '../../parts/users/registration.ts'
import { confirmUser, lockUser, unverifyEmail } from '../../parts/users/user-store.ts'
import { checkSignUpSession, makeSignUpSession } from '../../sign-in/sign-up-session.ts'

type Ports = CodePorts &
  Pick<Pool, 'clientId' | 'database' | 'id' | 'name' | 'publicUrl' | 'registration' | 'verification'>

const SignUp = z.object({
  ClientId: field.clientId,
  Username: field.newUsername,
  Password: field.password,
  UserAttributes: field.attributes.optional(),
  ClientMetadata: field.parameters,
})

/**
 * Creates an UNCONFIRMED user and mails the code that confirms the address. The session of the reply may be passed to
 * ConfirmSignUp, or sign the user in once the link of the mail was opened.
 */
export const signUp = operation(SignUp, async (pool: Ports, input) => {
  const returnPath = returnPathIn(input.ClientMetadata)
  await requireRegistration(pool, returnPath)
  const username = enteredName(input.Username)
  if (isEmailShaped(username)) {
    throw invalidParameter('Username cannot be of email format, since user pool is configured for email alias.')
  }
  const { email, phoneNumber } = readAttributes(input.UserAttributes ?? [])
  if (email === undefined) throw emailRequired()
  checkPasswordPolicy(input.Password)
  const sub = pool.random.uuid()
  const made = { sub, username, email, password: input.Password, phoneNumber: phoneNumber || undefined }
  const user = newUserRow(pool, made)
  await commitOrRefuse(pool, async (trx) => {
    const refusal = await addNewUser(trx, user)
    if (refusal) return refusal
    await reserveInvitation(pool, trx, returnPath, user)
    await addPendingEmail(trx, { email_key: user.email_key, sub, created_at: user.created_at })
    const link = confirmationLink(pool, username, returnPath)
    await sendCode(inLanguageOf(pool, input), trx, { sub, purpose: 'sign-up', to: email, link })
    return undefined
  })
  pool.mail.wake()
  return {
    UserConfirmed: false,
    UserSub: sub,
    CodeDeliveryDetails: deliveryTo(email),
    Session: makeSignUpSession(pool, user, 'SignUp'),
  }
})

type ConfirmPorts = EventPorts & Pick<Pool, 'registration' | 'onUserConfirmed'>

const ConfirmSignUp = z.object({
  ClientId: field.clientId,
  Username: field.username,
  ConfirmationCode: field.code,
  ForceAliasCreation: field.flag.optional(),
  Session: field.session.optional(),
})

const PURPOSE = 'sign-up'

/**
 * Verifies the address with the mailed code. The user may then sign in, also by e-mail. The session of the reply is
 * valid for one sign-in with USER_AUTH.
 */
export const confirmSignUp = operation(
  ConfirmSignUp,
  async (pool: ConfirmPorts & SealPorts & Pick<Pool, 'database'>, input) => {
    const { sub, user } = await resolveSigningUp(pool, input.Username)
    if (input.Session !== undefined) checkSignUpSession(pool, input.Session, sub)
    const code = input.ConfirmationCode
    const confirmed = await commitOrRefuse(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'ConfirmSignUp', sub)
      if (refusal) return refusal
      const current = await lockUser(trx, sub)
      const verdict = await checkCode(pool, trx, { sub, purpose: PURPOSE, code })
      if (verdict === 'wrong') return refusals.codeMismatch()
      // Only a caller with the code may learn that the account is confirmed already.
      if (verdict === 'spent') return alreadyConfirmed()
      if (verdict === 'none') return refusals.expiredCode()
      // The code of an unknown name was never sent.
      if (!user) return refusals.codeMismatch()
      // The code may have been sent while another call confirmed the account.
      if (current && current.status !== 'UNCONFIRMED') return alreadyConfirmed()
      const afterCommit = await confirm(pool, trx, user, input.ForceAliasCreation ?? false)
      return afterCommit instanceof CognitoError ? afterCommit : { user, afterCommit }
    })
    confirmed.afterCommit()
    return { Session: makeSignUpSession(pool, confirmed.user, 'ConfirmSignUp') }
  },
)

function alreadyConfirmed(): CognitoError {
  return notAuthorized('User cannot be confirmed. Current status is CONFIRMED')
}

async function confirm(
  pool: ConfirmPorts,
  trx: Db,
  user: UserRow,
  force: boolean,
): Promise<CognitoError | (() => void)> {
  const { sub, email_key: emailKey } = user
  const now = pool.clock.now().toISOString()
  const hasName = force
    ? await takeAddress(trx, user, now)
    : await claimLoginName(trx, { nameKey: emailKey, sub, kind: 'email' })
  if (!hasName) {
    // The code was right, so it stays valid until it expires.
    await returnTry(trx, { sub, purpose: PURPOSE })
    return new CognitoError('AliasExistsException', 'An account with the email already exists.')
  }
  await burnCode(pool, trx, sub, PURPOSE)
  // Thrown, so that the transaction rolls back: the sweep removed the user in the meantime.
  if (!(await confirmUser(trx, sub, now))) throw refusals.expiredCode()
  await removePendingEmail(trx, emailKey, sub)
  await recordEvent(pool, trx, user, 'signed-up')
  return await redeemInvitation(pool, trx, user)
}

/** How often the address is tried for while its holders change. */
const MOST_HOLDERS = 3

/**
 * Claims the address of a user, also from another who has verified it. The holder is locked first: one who changes the
 * address at the same time releases it, and their new address stays verified. False if it is not to be had.
 */
async function takeAddress(trx: Db, { sub, email_key: nameKey }: UserRow, now: string): Promise<boolean> {
  for (let tried = 0; tried < MOST_HOLDERS; tried += 1) {
    if (await claimLoginName(trx, { nameKey, sub, kind: 'email' })) return true
    const holder = await findLoginName(trx, { nameKey })
    if (!holder) continue
    await lockUser(trx, holder.sub)
    if (await moveLoginName(trx, nameKey, { from: holder.sub, to: sub })) {
      await unverifyEmail(trx, holder.sub, nameKey, now)
      await removeCodesSentTo(trx, 'email', holder.sub)
      return true
    }
  }
  return false
}

const ResendConfirmationCode = z.object({
  ClientId: field.clientId,
  Username: field.username,
  ClientMetadata: field.parameters,
})

/**
 * Mails a new code, which replaces the old one. An unknown name gets the same reply for the same work.
 */
export const resendConfirmationCode = operation(ResendConfirmationCode, async (pool: Ports, input) => {
  const account = await resolveSigningUp(pool, input.Username)
  const { sub, user } = account
  if (user && user.status !== 'UNCONFIRMED') throw invalidParameter('User is already confirmed.')
  const to = user?.email
  const link = confirmationLink(pool, user?.username ?? input.Username, returnPathIn(input.ClientMetadata))
  await commitOrRefuse(pool, async (trx) => {
    const refusal = await spendQuota(pool, trx, 'ResendConfirmationCode', sub)
    if (refusal) return refusal
    await sendCode(inLanguageOf(pool, input), trx, { sub, purpose: 'sign-up', to, link })
    return undefined
  })
  pool.mail.wake()
  return { CodeDeliveryDetails: to === undefined ? simulatedDelivery(pool, account) : deliveryTo(to) }
})
