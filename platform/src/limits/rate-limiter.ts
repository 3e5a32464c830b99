import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

export type RateLimit = { readonly max: number; readonly windowSeconds: number }

/** Counts one more call of `key` under the limit called `name`; says how long to wait if that is one too many. */
export type RateLimiter = {
  take: (name: string, key: string, limit: RateLimit) => Promise<{ retryAfterSeconds: number } | undefined>
}

/** Counts in this process. A refused call does not count, so a client that tries again at once is not locked out longer. */
export function localRateLimiter(): RateLimiter {
  const limiters = new Map<string, RateLimiterMemory>()
  return {
    take: async (name, key, limit) => {
      let limiter = limiters.get(name)
      if (!limiter) {
        limiter = new RateLimiterMemory({ keyPrefix: name, points: limit.max, duration: limit.windowSeconds })
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

/** Lets everything pass: for load tests. */
export const noRateLimiter: RateLimiter = { take: async () => undefined }
