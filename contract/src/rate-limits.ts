/**
 * How often one person (or, signed out, one address) may do what costs something: `max` calls in `windowSeconds`. Beyond
 * that the answer is 429 with `Retry-After`.
 */
export const RATE_LIMITS = {
  write: { max: 600, windowSeconds: 60 },
  invite: { max: 30, windowSeconds: 3600 },
  upload: { max: 30, windowSeconds: 600 },
  checkUrl: { max: 30, windowSeconds: 60 },
  stream: { max: 60, windowSeconds: 60 },
} as const satisfies Record<string, { max: number; windowSeconds: number }>

export type RateLimitName = keyof typeof RATE_LIMITS
