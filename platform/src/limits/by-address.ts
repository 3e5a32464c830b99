import ipaddr from 'ipaddr.js'

import type { Counter, RateLimit, RateLimiter, Refusal } from './rate-limiter.ts'

/** One site gets a /48, so several clients may share it. Its limit is this many times that of a client. */
const CLIENTS_PER_SITE = 4

/**
 * The networks that count as one client and, for IPv6, as one site. A client is an IPv4 address (also in IPv6 notation)
 * or the /64 of an IPv6 client. A site is the /48 around it.
 */
export function networksOf(address: string): { client: string; site?: string } {
  if (!ipaddr.isValid(address)) return { client: address }
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return { client: parsed.toString() }
  const prefix = (groups: number) => parsed.parts.slice(0, groups).map((group) => group.toString(16))
  return { client: `${prefix(4).join(':')}::/64`, site: `${prefix(3).join(':')}::/48` }
}

/** The network around an address that one owner may have as a whole: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function neighbourhoodOf(address: string): string {
  const { client, site } = networksOf(address)
  if (site !== undefined) return site
  const [one, two, three] = client.split('.')
  return ipaddr.IPv4.isValid(client) ? `${one}.${two}.${three}.0/24` : client
}

/** The counters of one call from an address: one for the client and, for IPv6, one for the site. */
export function countersByAddress(name: string, address: string, limit: RateLimit): Counter[] {
  const { client, site } = networksOf(address)
  if (site === undefined) return [[name, client, limit]]
  return [
    [name, client, limit],
    [`${name} by site`, site, { ...limit, max: limit.max * CLIENTS_PER_SITE }],
  ]
}

/** `take` for a client that is known only by its address. */
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
