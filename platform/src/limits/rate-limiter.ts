import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

export type RateLimit = { readonly max: number; readonly windowSeconds: number }

export type Refusal = { retryAfterSeconds: number }

/** The name of a limit, what is counted under it, and the limit. */
export type Counter = readonly [name: string, key: string, limit: RateLimit]

export type RateLimiter = {
  /** Counts a call of `key` under the limit `name`; gives the time to wait if that is one too many. */
  take: (...counter: Counter) => Promise<Refusal | undefined>
  /** Takes back one counted call that could not be served. */
  giveBack: (...counter: Counter) => Promise<void>
  /** Counts one without refusing it: how many there are in the window now, and how long it still lasts. */
  spend: (...counter: Counter) => Promise<{ used: number; msLeft: number }>
}

/** Counts in this process. A refused call does not prolong the wait, so clients may try again at once. */
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
export const noRateLimiter: RateLimiter = {
  take: async () => undefined,
  giveBack: async () => undefined,
  spend: async () => ({ used: 0, msLeft: 0 }),
}

function inMemory(name: string, limit: RateLimit): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points: limit.max, duration: limit.windowSeconds })
}

function counting(make: (name: string, limit: RateLimit) => RateLimiterAbstract): RateLimiter {
  const limiters = new Map<string, RateLimiterAbstract>()
  const limiterOf = (name: string, limit: RateLimit): RateLimiterAbstract => {
    const limiter = limiters.get(name) ?? make(name, limit)
    limiters.set(name, limiter)
    return limiter
  }
  return {
    giveBack: async (name, key, limit) => {
      await limiterOf(name, limit).reward(key)
    },
    take: async (name, key, limit) => {
      try {
        await limiterOf(name, limit).consume(key)
        return undefined
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        return { retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) }
      }
    },
    spend: async (name, key, limit) => {
      const { consumedPoints, msBeforeNext } = await limiterOf(name, limit).penalty(key)
      return { used: consumedPoints, msLeft: msBeforeNext }
    },
  }
}
