import { takeByAddress } from '@marquee/platform/limits/by-address'
import type { RateLimit, RateLimiter } from '@marquee/platform/limits/rate-limiter'

import { refusals } from '../errors/refusals.ts'

const HOUR_SECONDS = 3600

/**
 * Calls per address: enough for a household or an office that shares it, and for a proxy in front of a small
 * installation. Quotas limit what is done to a single account.
 */
export const ADDRESS_LIMITS = {
  any: { max: 600, windowSeconds: 60 },
  /** Another server of the installation looks up all its users, by requests that it signs. */
  admin: { max: 6_000, windowSeconds: 60 },
  signUp: { max: 100, windowSeconds: HOUR_SECONDS },
  mail: { max: 200, windowSeconds: HOUR_SECONDS },
} as const satisfies Record<string, RateLimit>

/** Operations that always send mail. Sign-ins count it when they send a code (`admitMail`). */
const SENDS_MAIL: ReadonlySet<string> = new Set([
  'SignUp',
  'ResendConfirmationCode',
  'ForgotPassword',
  'UpdateUserAttributes',
  'GetUserAttributeVerificationCode',
])

/**
 * Counts a call of an operation before anything else happens, whether it succeeds or not.
 * @throws {CognitoError} TooManyRequestsException.
 */
export async function admitCall(limiter: RateLimiter, operation: string, address: string): Promise<void> {
  const take = async (name: string, limit: RateLimit) => await takeOrRefuse(limiter, name, { address, limit })
  if (operation === 'AdminGetUser') {
    await take('identity admin', ADDRESS_LIMITS.admin)
    return
  }
  await take('identity', ADDRESS_LIMITS.any)
  if (operation === 'SignUp') await take('identity sign-up', ADDRESS_LIMITS.signUp)
  if (SENDS_MAIL.has(operation)) await admitMail(limiter, address)
}

/**
 * Counts one call that sends mail, or would for a known name. For operations that send mail only sometimes.
 * @throws {CognitoError} TooManyRequestsException.
 */
export async function admitMail(limiter: RateLimiter, address: string): Promise<void> {
  await takeOrRefuse(limiter, 'identity mail', { address, limit: ADDRESS_LIMITS.mail })
}

async function takeOrRefuse(
  limiter: RateLimiter,
  name: string,
  { address, limit }: { address: string; limit: RateLimit },
): Promise<void> {
  if (await takeByAddress(limiter, name, address, limit)) throw refusals.tooManyRequests()
}
