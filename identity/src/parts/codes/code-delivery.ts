import { NO_RECIPIENT } from '@marquee/platform/mail/message'

import { fakeBytes, fakeLetter } from '../../base/decoys.ts'
import { type CognitoError, refusals } from '../../base/errors/refusals.ts'
import type { MailBudgetName } from '../../base/mails/mail-budget.ts'
import { isOnlyAttempt, spendQuota } from '../../base/limits/user-limits.ts'
import { codeMessage, type CodePurpose } from '../../base/mails/code-mail.ts'
import { mailTextsOf } from '../../base/mails/mail-texts.ts'
import { isEmailShaped, nameKey } from '../../base/names.ts'
import type { CodePorts, Pool } from '../../base/ports.ts'
import type { Db } from '../../base/tables.ts'
import { keepCode, newCode } from './code.ts'

export type CodeDeliveryDetails =
  | { AttributeName: 'email'; DeliveryMedium: 'EMAIL'; Destination: string }
  | { AttributeName: 'phone_number'; DeliveryMedium: 'SMS'; Destination: string }

/**
 * Makes a new code and queues its mail or text message, in the caller's transaction. For an unknown name (`to` is
 * undefined) a code is stored but not sent, so that a later guess fails in the same way as for a user.
 * @throws {CognitoError} TooManyRequestsException, which undoes the transaction, once too many codes were sent to all.
 */
export async function sendCode(
  pool: CodePorts,
  trx: Db,
  {
    sub,
    purpose,
    to,
    link,
    budget = purpose,
    isOwed,
  }: {
    sub: string
    purpose: CodePurpose
    to: string | undefined
    link?: CodeLink | undefined
    /** What the code counts under. */
    budget?: MailBudgetName
    /** Whether the code is sent although the budget is spent. The answer must be the same for unknown names. */
    isOwed?: () => Promise<boolean>
  },
): Promise<void> {
  const isSpent = pool.mailBudget.isSpent(budget)
  if (isSpent && !(await isOwed?.())) throw refusals.tooManyRequests()
  const code = newCode(pool, purpose)
  await keepCode(pool, trx, { sub, purpose, code, to })
  // An unknown name costs the same work to the end of the queue, so that timing does not reveal accounts.
  const texts = await mailTextsOf(pool, trx, sub)
  const { productName } = pool
  const message = codeMessage(texts, { purpose, to: to ?? NO_RECIPIENT, code, productName, link: link?.(code) })
  await pool.mail.enqueue(trx, message, { isUrgent: true })
  pool.mailBudget.spend(budget, to !== undefined)
}

/** Visitors may have chosen another language than that of their browser: `language` in the `ClientMetadata` of the call. */
export function inLanguageOf<Ports extends Pick<Pool, 'acceptLanguage'>>(
  pool: Ports,
  { ClientMetadata }: { ClientMetadata: ReadonlyMap<string, string> },
): Ports {
  return { ...pool, acceptLanguage: ClientMetadata.get('language') ?? pool.acceptLanguage }
}

/** Makes the link with a code, if the installation mails links instead of codes. */
type CodeLink = (code: string) => string

/**
 * The link to the screen that confirms a sign-up, if the installation mails links. Opening it changes nothing, since
 * mail scanners open links; the screen has a button. Browsers do not send the part after the # to a server.
 */
export function confirmationLink(
  pool: Pick<Pool, 'publicUrl' | 'verification'>,
  username: string,
  returnPath?: string,
): CodeLink | undefined {
  if (pool.verification === 'code') return undefined
  const rest = returnPath === undefined ? {} : { redirect: returnPath }
  return (code) => `${pool.publicUrl}/auth/confirm#${new URLSearchParams({ username, code, ...rest }).toString()}`
}

/** The masked address of a code: `j***@e***`. In lower case, so that the mask does not depend on the spelling. */
export function deliveryTo(email: string): CodeDeliveryDetails {
  const [local = '', domain = ''] = nameKey(email).split('@')
  return details(firstCharacter(local), firstCharacter(domain))
}

/** The masked phone number of a code: `+*******5678`. */
export function deliveryToPhone(number: string): CodeDeliveryDetails {
  const Destination = `+${'*'.repeat(Math.max(number.length - 5, 0))}${number.slice(-4)}`
  return { AttributeName: 'phone_number', DeliveryMedium: 'SMS', Destination }
}

/** The masked destination of an account; for an unknown name a mask derived from the name, always the same. */
export function simulatedDelivery(
  pool: Pick<Pool, 'id' | 'keyring'>,
  { nameKey: key }: { nameKey: string },
): CodeDeliveryDetails {
  if (isEmailShaped(key)) return deliveryTo(key)
  return details(fakeLetter(pool, 'local', key), fakeLetter(pool, 'domain', key))
}

/** The phone that an unknown name appears to have, always the same. */
export function simulatedPhone(
  pool: Pick<Pool, 'id' | 'keyring'>,
  { nameKey: key }: { nameKey: string },
): CodeDeliveryDetails {
  const digits = String(fakeBytes(pool, 'phone', key).readUInt32BE(0) % 10_000).padStart(4, '0')
  return deliveryToPhone(`+1555555${digits}`)
}

function details(local: string, domain: string): CodeDeliveryDetails {
  return { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: `${local}***@${domain}***` }
}

function firstCharacter(text: string): string {
  return Array.from(text)[0] ?? ''
}

type Receiver = { sub: string; medium: 'EMAIL' | 'SMS'; to: string | undefined; isFirst: boolean }

/**
 * The purpose of a sign-in code. Anyone can request a first-factor code, so those are separate from the codes after a
 * password: an attacker cannot spend, guess or replace the latter.
 */
export function signInPurpose({ medium, isFirst }: Pick<Receiver, 'medium' | 'isFirst'>): CodePurpose {
  if (medium === 'EMAIL') return isFirst ? 'first-email' : 'sign-in-email'
  return isFirst ? 'first-phone' : 'sign-in-phone'
}

/**
 * Sends a code for EMAIL_OTP, SMS_OTP or SMS_MFA, valid for 3 minutes. Without `to` (an unknown name) the code is
 * stored but not sent. The caller wakes the mail queue after the commit.
 * @returns the refusal if the user had too many
 */
export async function sendSignInCode(
  pool: CodePorts,
  trx: Db,
  { sub, medium, to, isFirst }: Receiver,
): Promise<CognitoError | undefined> {
  const refusal = await spendQuota(pool, trx, isFirst ? 'FirstFactorCode' : 'SignInCode', sub)
  if (refusal) return refusal
  const isOwed = async () => await isOnlyAttempt(pool, trx, 'FirstFactorCode', sub)
  await sendCode(pool, trx, { sub, purpose: signInPurpose({ medium, isFirst }), to, isOwed })
  return undefined
}

/** The parameters of a challenge that waits for a code. */
export function codeParameters(medium: 'EMAIL' | 'SMS', to: string): Record<string, string> {
  const { Destination } = medium === 'EMAIL' ? deliveryTo(to) : deliveryToPhone(to)
  return { CODE_DELIVERY_DELIVERY_MEDIUM: medium, CODE_DELIVERY_DESTINATION: Destination }
}
