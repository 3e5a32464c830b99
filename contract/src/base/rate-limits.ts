/**
 * How many calls of one name a user may make (or an address, if signed out): `max` in `windowSeconds`. Further calls are
 * answered with 429 and `Retry-After`.
 */
export const RATE_LIMITS = {
  read: { max: 1_200, windowSeconds: 60 },
  write: { max: 600, windowSeconds: 60 },
  invite: { max: 30, windowSeconds: 3600 },
  joinLink: { max: 60, windowSeconds: 60 },
  setup: { max: 30, windowSeconds: 600 },
  requestScreen: { max: 60, windowSeconds: 600 },
  pairScreen: { max: 30, windowSeconds: 600 },
  joinNight: { max: 60, windowSeconds: 600 },
  webhook: { max: 30, windowSeconds: 3600 },
  mediaServer: { max: 120, windowSeconds: 600 },
  mediaLink: { max: 240, windowSeconds: 600 },
  mediaSignIn: { max: 20, windowSeconds: 600 },
  plan: { max: 30, windowSeconds: 3600 },
  upload: { max: 30, windowSeconds: 600 },
  checkUrl: { max: 30, windowSeconds: 60 },
  export: { max: 20, windowSeconds: 600 },
  stream: { max: 60, windowSeconds: 60 },
  import: { max: 20, windowSeconds: 3600 },
  catalogueSearch: { max: 120, windowSeconds: 60 },
  catalogueMovie: { max: 60, windowSeconds: 60 },
  availability: { max: 300, windowSeconds: 60 },
  catalogueLink: { max: 30, windowSeconds: 60 },
} as const satisfies Record<string, { max: number; windowSeconds: number }>

export type RateLimitName = keyof typeof RATE_LIMITS

/**
 * How many wrong codes of nights one address may try, and the /24 or /48 around it. One in 900 million codes is right for
 * each open night. Once a network has tried too many, each of its addresses may still try a few.
 */
export const WRONG_NIGHT_CODES = {
  byAddress: { max: 60, windowSeconds: 3600 },
  byNetwork: { max: 600, windowSeconds: 3600 },
  inRefusedNetwork: { max: 3, windowSeconds: 3600 },
} as const

/** How many reports the address of one media server takes. */
export const MEDIA_REPORTS = { max: 600, windowSeconds: 600 } as const

/** How often one address may read, for all its users together and for guests. */
export const READS_BY_ADDRESS = { max: 3_000, windowSeconds: 60 } as const
