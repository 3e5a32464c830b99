import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

export type RateLimit = { readonly max: number; readonly windowSeconds: number }

/** Counts one more call of `key` under the limit called `name`; says how long to wait if that is one too many. */
export type RateLimiter = {
  take: (name: string, key: string, limit: RateLimit) => Promise<{ retryAfterSeconds: number } | undefined>
}

/** Counts in this process. A refused call does not count, so a client that tries again at once is not locked out longer. */
export function localRateLimiter(): RateLimiter {
  return counting(inMemory)
}

/** Counts in Redis, for all processes together. While Redis is gone each process counts for itself. */
export function redisRateLimiter(redis: Redis): RateLimiter {
  return counting(
    (name, limit) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `marquee:limit:${name}`,
        points: limit.max,
        duration: limit.windowSeconds,
        rejectIfRedisNotReady: true,
        insuranceLimiter: inMemory(name, limit),
      }),
  )
}

/** Lets everything pass: for load tests. */
export const noRateLimiter: RateLimiter = { take: async () => undefined }

function inMemory(name: string, limit: RateLimit): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points: limit.max, duration: limit.windowSeconds })
}

function counting(make: (name: string, limit: RateLimit) => RateLimiterAbstract): RateLimiter {
  const limiters = new Map<string, RateLimiterAbstract>()
  return {
    take: async (name, key, limit) => {
      let limiter = limiters.get(name)
      if (!limiter) {
        limiter = make(name, limit)
        limiters.set(name, limiter)
      }
      try {
        await limiter.consume(key)
        return undefined
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        return { retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) }
      }
    },
  }
}
