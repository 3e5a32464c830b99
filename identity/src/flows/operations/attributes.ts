import { z } from 'zod'

import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse, invalidParameter, refusals } from '../../base/errors/refusals.ts'
import { budgetOf } from '../../base/mails/mail-budget.ts'
import { spendQuota } from '../../base/limits/user-limits.ts'
import { nameKey } from '../../base/names.ts'
import type { CodePorts, EventPorts, Pool, VerifyPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { operation } from '../../base/requests/operation.ts'
import type { Db, UserRow } from '../../base/tables.ts'
import { type CodeDeliveryDetails, deliveryTo, deliveryToPhone, sendCode } from '../../parts/codes/code-delivery.ts'
import { removeCode, removeCodesSentTo, returnTry } from '../../parts/codes/code-store.ts'
import { burnCode, checkCode } from '../../parts/codes/code.ts'
import { mfaColumns, mfaPreferenceOf, refuseLastFactor } from '../../parts/mfa/methods.ts'
import { checkAttributeNames, emailRequired, readAttributes, readProvable } from '../../parts/users/attributes.ts'
import { claimLoginName, removeLoginName } from '../../parts/users/login-name-store.ts'
import { setMfa, setPendingEmail, setPendingPhone, setPhone, setVerifiedEmail } from '../../parts/users/user-store.ts'
import { authorize, lockCaller } from '../../sign-in/signed-in.ts'

const UpdateUserAttributes = z.object({ AccessToken: field.token, UserAttributes: field.attributes })

/**
 * Starts the change of an address or number. The old one stays valid, also for sign-in, until VerifyUserAttribute gets
 * the code that was sent to the new one.
 */
export const updateUserAttributes = operation(
  UpdateUserAttributes,
  async (pool: CodePorts & VerifyPorts & Pick<Pool, 'mfa' | 'userAgent'>, input) => {
    const { user: caller } = await authorize(pool, input.AccessToken)
    const { email, phoneNumber } = readAttributes(input.UserAttributes)
    const CodeDeliveryDetailsList = await commitOrRefuse(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'UpdateUserAttributes', caller.sub)
      if (refusal) return refusal
      const user = await lockCaller(trx, caller)
      const sent: CodeDeliveryDetails[] = []
      if (email !== undefined) sent.push(...(await changeEmail(pool, trx, user, email)))
      if (phoneNumber !== undefined) sent.push(...(await changePhone(pool, trx, user, phoneNumber)))
      return sent
    })
    pool.mail.wake()
    return { CodeDeliveryDetailsList }
  },
)

async function changeEmail(pool: CodePorts, trx: Db, user: UserRow, email: string): Promise<CodeDeliveryDetails[]> {
  const { sub } = user
  if (nameKey(email) === user.email_key && user.email_verified === 1) {
    await setPendingEmail(trx, sub, null)
    await removeCode(trx, { sub, purpose: 'email' })
    return []
  }
  await setPendingEmail(trx, sub, email)
  await sendCode(pool, trx, { sub, purpose: 'email', to: email, budget: budgetOf(pool, 'email', user) })
  return [deliveryTo(email)]
}

async function changePhone(
  pool: CodePorts & Pick<Pool, 'mfa' | 'userAgent'>,
  trx: Db,
  user: UserRow,
  phoneNumber: string,
): Promise<CodeDeliveryDetails[]> {
  const { sub } = user
  if (phoneNumber === '') {
    await removePhone(pool, trx, user)
    return []
  }
  if (phoneNumber === user.phone_number) {
    await setPendingPhone(trx, sub, null)
    await removeCode(trx, { sub, purpose: 'phone' })
    return []
  }
  await setPendingPhone(trx, sub, phoneNumber)
  await sendCode(pool, trx, { sub, purpose: 'phone', to: phoneNumber, budget: budgetOf(pool, 'phone', user) })
  return [deliveryToPhone(phoneNumber)]
}

const VerifyUserAttribute = z.object({
  AccessToken: field.token,
  AttributeName: field.attributeName,
  Code: field.code,
})

/** Verifies a new address or number with its code and replaces the old one. */
export const verifyUserAttribute = operation(
  VerifyUserAttribute,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'keyring'>, input) => {
    const { user: caller } = await authorize(pool, input.AccessToken)
    const { sub } = caller
    const purpose = readProvable(input.AttributeName)
    await commitOrRefuse(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'VerifyUserAttribute', sub)
      if (refusal) return refusal
      const user = await lockCaller(trx, caller)
      const to = unverifiedOf(user, purpose) ?? undefined
      const verdict = await checkCode(pool, trx, { sub, purpose, code: input.Code, to })
      if (verdict === 'wrong') return refusals.codeMismatch()
      // Clients repeat a call whose reply was lost. It has the code of the current address or number.
      if (verdict === 'spent' && isVerified(user, purpose)) return undefined
      if (verdict !== 'right') return refusals.expiredCode()
      if (purpose === 'phone') await provePhone(pool, trx, user)
      return purpose === 'email' ? await proveEmail(pool, trx, user) : undefined
    })
    pool.mail.wake()
    return {}
  },
)

/** The address or number that the next right code verifies. */
function unverifiedOf(user: UserRow, purpose: 'email' | 'phone'): string | null {
  return purpose === 'email' ? (user.pending_email ?? user.email) : (user.pending_phone ?? user.phone_number)
}

/** Whether there is nothing left to verify. */
function isVerified(user: UserRow, purpose: 'email' | 'phone'): boolean {
  return purpose === 'email'
    ? user.email_verified === 1 && user.pending_email === null
    : user.phone_number !== null && user.pending_phone === null
}

async function provePhone(pool: EventPorts, trx: Db, user: UserRow): Promise<void> {
  await burnCode(pool, trx, user.sub, 'phone')
  await removeCodesSentTo(trx, 'phone', user.sub)
  const phoneNumber = unverifiedOf(user, 'phone')
  await setPhone(trx, user.sub, phoneNumber, pool.clock.now().toISOString())
  if (phoneNumber !== user.phone_number) await recordEvent(pool, trx, user, 'phone-changed')
}

/** The primary key of login names decides which of two users gets an address. */
async function proveEmail(pool: EventPorts, trx: Db, user: UserRow): Promise<CognitoError | undefined> {
  const { sub } = user
  const email = user.pending_email ?? user.email
  const emailKey = nameKey(email)
  const isOwn = emailKey === user.email_key && user.email_verified === 1
  if (!isOwn && !(await claimLoginName(trx, { nameKey: emailKey, sub, kind: 'email' }))) {
    // The code was right, so it stays valid until it expires.
    await returnTry(trx, { sub, purpose: 'email' })
    return new CognitoError('AliasExistsException', 'An account with the email already exists.')
  }
  await burnCode(pool, trx, sub, 'email')
  if (!isOwn && user.email_verified === 1) await removeLoginName(trx, user.email_key, sub)
  await setVerifiedEmail(trx, sub, { email, emailKey, now: pool.clock.now().toISOString() })
  // Notifies the old address if it was verified.
  if (!isOwn) await recordEvent(pool, trx, user, 'email-changed')
  await removeCodesSentTo(trx, 'email', sub)
  return undefined
}

const GetUserAttributeVerificationCode = z.object({ AccessToken: field.token, AttributeName: field.attributeName })

/** Sends another code to the pending address or number. */
export const getUserAttributeVerificationCode = operation(
  GetUserAttributeVerificationCode,
  async (pool: CodePorts & VerifyPorts, input) => {
    const { user: caller } = await authorize(pool, input.AccessToken)
    const purpose = readProvable(input.AttributeName)
    const to = await commitOrRefuse(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'GetUserAttributeVerificationCode', caller.sub)
      if (refusal) return refusal
      const user = await lockCaller(trx, caller)
      const destination = unverifiedOf(user, purpose)
      if (destination === null) throw invalidParameter('User does not have a phone number.')
      await sendCode(pool, trx, { sub: user.sub, purpose, to: destination, budget: budgetOf(pool, purpose, user) })
      return destination
    })
    pool.mail.wake()
    return { CodeDeliveryDetails: purpose === 'email' ? deliveryTo(to) : deliveryToPhone(to) }
  },
)

const DeleteUserAttributes = z.object({ AccessToken: field.token, UserAttributeNames: z.array(field.attributeName) })

/** Deletes the phone number. The e-mail address is required. */
export const deleteUserAttributes = operation(
  DeleteUserAttributes,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'mfa'>, input) => {
    const { user: caller } = await authorize(pool, input.AccessToken)
    checkAttributeNames(input.UserAttributeNames)
    if (input.UserAttributeNames.includes('email')) throw emailRequired()
    if (input.UserAttributeNames.includes('phone_number')) {
      await pool.database.transaction(async (trx) => await removePhone(pool, trx, await lockCaller(trx, caller)))
      pool.mail.wake()
    }
    return {}
  },
)

/** Deletes the number of a locked user and the second factor that needs it. The caller wakes the mail queue. */
async function removePhone(pool: EventPorts & Pick<Pool, 'mfa'>, trx: Db, user: UserRow): Promise<void> {
  const { methods, preferred } = mfaPreferenceOf(user)
  const kept = methods.filter((method) => method !== 'SMS_MFA')
  const last = refuseLastFactor(pool, methods, kept)
  // Thrown, so that the transaction rolls back.
  if (last) throw last
  if (user.phone_number !== null) await recordEvent(pool, trx, user, 'phone-removed')
  await setPhone(trx, user.sub, null, pool.clock.now().toISOString())
  await removeCode(trx, { sub: user.sub, purpose: 'phone' })
  await removeCodesSentTo(trx, 'phone', user.sub)
  if (methods.includes('SMS_MFA')) await recordEvent(pool, trx, user, 'second-factor-off')
  await setMfa(trx, user.sub, mfaColumns({ methods: kept, preferred }))
}
