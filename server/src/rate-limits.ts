import { RATE_LIMITS, READS_BY_ADDRESS } from '@marquee/contract/rate-limits'
import type { Gate } from '@marquee/platform/http/mount'
import { HttpProblem } from '@marquee/platform/http/problem'
import { takeByAddress } from '@marquee/platform/limits/by-address'
import type { RateLimit, RateLimiter } from '@marquee/platform/limits/rate-limiter'

import type { User } from './modules/profiles/service.ts'
import { problemFor } from './problem-replies.ts'

const LIMITS: ReadonlyMap<string, RateLimit> = new Map(Object.entries(RATE_LIMITS))

/**
 * Counts a call under the limit of its endpoint: by user or, signed out, by address. Reads count by address as well.
 * @throws {HttpProblem} 429 with `Retry-After` in seconds, once there are too many.
 */
export function limitBy(limiter: RateLimiter): Gate<User>['admit'] {
  return async ({ ip }, { limit: name = 'read' }, user) => {
    const limit = LIMITS.get(name)
    if (limit === undefined) throw new Error(`There is no limit called ${name}`)
    const isRead = name === 'read'
    let refusal = user && (await limiter.take(name, `user ${user.userId}`, limit))
    if (isRead) refusal ??= await takeByAddress(limiter, 'read by address', ip, READS_BY_ADDRESS)
    else if (!user) refusal = await takeByAddress(limiter, name, ip, limit)
    if (!refusal) return
    const headers = { 'retry-after': String(refusal.retryAfterSeconds) }
    throw new HttpProblem({ status: 429, ...problemFor(429), headers })
  }
}
