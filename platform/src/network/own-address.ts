import { isIP, SocketAddress } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Whether `ip` is one of this machine's own addresses. A machine may have a public address. A connection to it from the
 * machine itself bypasses the firewall that protects its other services.
 */
export function isOwnAddress(ip: string): boolean {
  if (isIP(ip) === 0) return false
  const wanted = plain(ip)
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => plain(address) === wanted),
  )
}

/** The normal form of an address, so that `2A00:0::1` and `2a00::1` are equal. */
function plain(ip: string): string {
  return new SocketAddress({ address: ip, family: isIP(ip) === 6 ? 'ipv6' : 'ipv4' }).address
}
