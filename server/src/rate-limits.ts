import { RATE_LIMITS } from '@marquee/contract/rate-limits'
import type { Gate } from '@marquee/platform/http/mount'
import { HttpProblem } from '@marquee/platform/http/problem'
import { addressKey } from '@marquee/platform/limits/address-key'
import type { RateLimit, RateLimiter } from '@marquee/platform/limits/rate-limiter'

import type { User } from './modules/profiles/service.ts'
import { problemFor } from './problem-replies.ts'

const LIMITS: Readonly<Record<string, RateLimit>> = RATE_LIMITS

/**
 * Counts the calls of one person, or of one address where nobody is signed in, under the limit of the endpoint.
 * @throws {HttpProblem} 429 with `Retry-After` in seconds, once there are too many.
 */
export function limitBy(limiter: RateLimiter): Gate<User>['admit'] {
  return async (request, { limit: name }, user) => {
    const limit = name === undefined ? undefined : LIMITS[name]
    if (name === undefined || limit === undefined) return
    const key = user === undefined ? `address ${addressKey(request.ip)}` : `user ${user.userId}`
    const refusal = await limiter.take(name, key, limit)
    if (!refusal) return
    const headers = { 'retry-after': String(refusal.retryAfterSeconds) }
    throw new HttpProblem({ status: 429, ...problemFor(429), headers })
  }
}
