import { spendQuota } from '../limits/quota.ts'
import type { Db } from '../tables.ts'
import { deliveryTo, deliveryToPhone, sendCode } from '../users/code-delivery.ts'
import type { CodePurpose } from '../mails/code-mail.ts'
import type { CognitoError } from '../wire/cognito-error.ts'
import type { CodePorts } from '../base/ports.ts'

type Receiver = { sub: string; medium: 'EMAIL' | 'SMS'; to: string | undefined; isFirst: boolean }

/**
 * Which code answers a challenge. Anybody may ask for one to begin with, so those are apart from the codes that come
 * after a password: nobody can spend, guess away or replace the codes of who knows it.
 */
export function signInPurpose({ medium, isFirst }: Pick<Receiver, 'medium' | 'isFirst'>): CodePurpose {
  if (medium === 'EMAIL') return isFirst ? 'first-email' : 'sign-in-email'
  return isFirst ? 'first-phone' : 'sign-in-phone'
}

/**
 * Sends a code that answers EMAIL_OTP, SMS_OTP or SMS_MFA within 3 minutes. With `to` undefined (an unknown name) a code
 * is kept that nobody gets. The mail goes out with `pool.mail.wake()` after the commit.
 * @returns the refusal if the user has had too many of them
 */
export async function sendSignInCode(
  pool: CodePorts,
  trx: Db,
  { sub, medium, to, isFirst }: Receiver,
): Promise<CognitoError | undefined> {
  const refusal = await spendQuota(pool, trx, isFirst ? 'FirstFactorCode' : 'SignInCode', sub)
  if (refusal) return refusal
  await sendCode(pool, trx, { sub, purpose: signInPurpose({ medium, isFirst }), to })
  return undefined
}

/** What a challenge says of the code it waits for. */
export function codeParameters(medium: 'EMAIL' | 'SMS', to: string): Record<string, string> {
  const { Destination } = medium === 'EMAIL' ? deliveryTo(to) : deliveryToPhone(to)
  return { CODE_DELIVERY_DELIVERY_MEDIUM: medium, CODE_DELIVERY_DESTINATION: Destination }
}
