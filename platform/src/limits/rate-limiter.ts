import type { Redis } from 'ioredis'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

export type RateLimit = {
  readonly max: number
  readonly windowSeconds: number
  /** Why callers who do not know each other share this limit. Without a reason each user or address has its own. */
  readonly sharedBecause?: string
}

export type Refusal = { retryAfterSeconds: number }

/** The name of a limit, what is counted under it, and the limit. */
export type Counter = readonly [name: string, key: string, limit: RateLimit]

export type RateLimiter = {
  /** Counts a call of `key` under the limit `name`. Returns the time to wait if the call is over the limit. */
  take: (...counter: Counter) => Promise<Refusal | undefined>
  /** Uncounts one call that could not be served. */
  giveBack: (...counter: Counter) => Promise<void>
  /** Counts a call without a limit. Returns the calls in the window and how long the window still lasts. */
  spend: (...counter: Counter) => Promise<{ used: number; msLeft: number }>
}

/** Counts in this process. A rejected call does not prolong the wait. */
export function localRateLimiter(): RateLimiter {
  return counting(inMemory)
}

/** Counts in Redis, for all processes together. Without Redis each process counts by itself. */
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

/** Never limits, for load tests. */
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
    // One name may have several limits, such as that of each source of the catalogue.
    const id = `${name} ${limit.max} ${limit.windowSeconds}`
    const limiter = limiters.get(id) ?? make(name, limit)
    limiters.set(id, limiter)
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
