import { type Counter, localRateLimiter, type RateLimiter } from '../limits/rate-limiter.ts'

/** A limiter that remembers what was counted. `counted` hands over the counters since the last time. */
export function recordingLimiter(): RateLimiter & { readonly counted: () => Counter[] } {
  const limiter = localRateLimiter()
  const counters: Counter[] = []
  const counted = () => counters.splice(0)
  return {
    counted,
    giveBack: limiter.giveBack,
    take: async (...counter) => {
      counters.push(counter)
      return await limiter.take(...counter)
    },
    spend: async (...counter) => {
      counters.push(counter)
      return await limiter.spend(...counter)
    },
  }
}

/** The names of the limits that two callers share, with the reason of each. */
export function sharedBy(one: readonly Counter[], other: readonly Counter[]): Map<string, string | undefined> {
  const keys = new Set(one.map(([name, key]) => JSON.stringify([name, key])))
  return new Map(
    other.flatMap(([name, key, { sharedBecause }]): [string, string | undefined][] =>
      keys.has(JSON.stringify([name, key])) ? [[name, sharedBecause]] : [],
    ),
  )
}
