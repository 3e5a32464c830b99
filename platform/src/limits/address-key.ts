import { isIPv6 } from 'node:net'

/**
 * What counts as one client by its network address: an IPv4 address (also one written as IPv6), or the /64 network that
 * an IPv6 customer has for themselves.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  const groups = expand(address)
  const [, high, low] = /^(?:0:){5}ffff:([^:]+):([^:]+)$/u.exec(groups.join(':')) ?? []
  if (high !== undefined && low !== undefined) return [high, low].map(dotted).join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address, in lower case hex without leading zeros. */
function expand(address: string): string[] {
  const bare = address.replace(/%.*$/u, '').replace(/[\d.]+$/u, (tail) => (tail.includes('.') ? hexPairs(tail) : tail))
  const [head = '', tail] = bare.split('::')
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const missing = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: missing }, () => '0'), ...(after ?? [])]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}

function hexPairs(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

function dotted(group: string): string {
  const value = Number.parseInt(group, 16)
  return `${value >> 8}.${value & 255}`
}
