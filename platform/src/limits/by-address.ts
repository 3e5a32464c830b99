import ipaddr from 'ipaddr.js'

import type { Counter, RateLimit, RateLimiter, Refusal } from './rate-limiter.ts'

/** A /48 is what one site gets, so several clients may share it. It has this many times the limit of a client. */
const CLIENTS_PER_SITE = 4

/**
 * What counts as one client and, for IPv6, as one site: an IPv4 address (also one written as IPv6), or the /64 that an
 * IPv6 client has for itself, and the /48 around it.
 */
export function networksOf(address: string): { client: string; site?: string } {
  if (!ipaddr.isValid(address)) return { client: address }
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return { client: parsed.toString() }
  const prefix = (groups: number) => parsed.parts.slice(0, groups).map((group) => group.toString(16))
  return { client: `${prefix(4).join(':')}::/64`, site: `${prefix(3).join(':')}::/48` }
}

/** What one call from an address is counted under: by client and, for IPv6, by site. */
export function countersByAddress(name: string, address: string, limit: RateLimit): Counter[] {
  const { client, site } = networksOf(address)
  if (site === undefined) return [[name, client, limit]]
  return [
    [name, client, limit],
    [`${name} by site`, site, { ...limit, max: limit.max * CLIENTS_PER_SITE }],
  ]
}

/** `take` for a client known by its address alone. */
export async function takeByAddress(
  limiter: RateLimiter,
  name: string,
  address: string,
  limit: RateLimit,
): Promise<Refusal | undefined> {
  for (const counter of countersByAddress(name, address, limit)) {
    const refusal = await limiter.take(...counter)
    if (refusal) return refusal
  }
  return undefined
}
