import { addressKey } from '@marquee/platform/limits/address-key'
import type { RateLimit, RateLimiter } from '@marquee/platform/limits/rate-limiter'

import { refusals } from '../wire/refusals.ts'

const HOUR_SECONDS = 3600

/**
 * How often one address may call (identity.md 6.2), wide enough for a household or an office that shares one, and for a
 * proxy in front of a small installation. What a single account may do is limited by its own, narrower quotas.
 */
export const ADDRESS_LIMITS = {
  any: { max: 600, windowSeconds: 60 },
  /** Another server of the installation asks for all its people, by requests that it signs. */
  admin: { max: 6_000, windowSeconds: 60 },
  signUp: { max: 100, windowSeconds: HOUR_SECONDS },
  mail: { max: 200, windowSeconds: HOUR_SECONDS },
} as const satisfies Record<string, RateLimit>

/**
 * How many mails of one kind may be asked for in an hour by everybody together, so that the pool is no mail cannon even
 * to one who has many addresses. Kinds are counted apart: a flood of sign-ups keeps nobody from their account.
 */
export const MAIL_BUDGET: RateLimit = { max: 1_000, windowSeconds: HOUR_SECONDS }

const SENDS_MAIL: ReadonlySet<string> = new Set([
  'SignUp',
  'ResendConfirmationCode',
  'ForgotPassword',
  'UpdateUserAttributes',
  'GetUserAttributeVerificationCode',
])

/**
 * Counts a call of an operation before anything else happens. Whether a mail would really go out does not matter, so
 * that a refusal says nothing about who has an account.
 * @throws {CognitoError} TooManyRequestsException.
 */
export async function admitCall(limiter: RateLimiter, operation: string, address: string): Promise<void> {
  const client = addressKey(address)
  if (operation === 'AdminGetUser') {
    await take(limiter, 'identity admin', client, ADDRESS_LIMITS.admin)
    return
  }
  await take(limiter, 'identity', client, ADDRESS_LIMITS.any)
  if (operation === 'SignUp') await take(limiter, 'identity sign-up', client, ADDRESS_LIMITS.signUp)
  if (!SENDS_MAIL.has(operation)) return
  await take(limiter, 'identity mail', client, ADDRESS_LIMITS.mail)
  await takeMailBudget(limiter, operation)
}

/** Counts a mail or text message that a call asks for by what is in it. @throws {CognitoError} TooManyRequestsException. */
export async function takeMailBudget(limiter: RateLimiter, kind: string): Promise<void> {
  await take(limiter, 'identity mail budget', kind, MAIL_BUDGET)
}

async function take(limiter: RateLimiter, name: string, key: string, limit: RateLimit): Promise<void> {
  if ((await limiter.take(name, key, limit)) !== undefined) throw refusals.tooManyRequests()
}
