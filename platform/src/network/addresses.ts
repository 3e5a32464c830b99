import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Every block of the IANA IPv4 special-purpose registry, globally reachable or not: the reachable ones are anycast services
 * and serve no images.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // public by number, but Azure's inner services answer there
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT relays
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/**
 * Global unicast is the only public part of IPv6. Outside it are ::, ::1, the notations of IPv4 (::a.b.c.d,
 * ::ffff:a.b.c.d, both NAT64 prefixes), discard-only, segment routing, unique local, link-local, site-local, multicast,
 * and everything unassigned.
 */
const GLOBAL_IPV6 = ['2000::/3']

/** The blocks inside global unicast that are not the public internet. */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID and their like
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
]

const specialIpv4 = blocks(SPECIAL_IPV4, 'ipv4')
const globalIpv6 = blocks(GLOBAL_IPV6, 'ipv6')
const specialIpv6 = blocks(SPECIAL_IPV6, 'ipv6')

/**
 * Whether `ip` is an address on the public internet. It accepts only the plain notations that sockets use: an octal,
 * decimal, hex or short IPv4 address, a zone, a bracket or a name is never public. Makes no lookup.
 */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !specialIpv4.check(ip, 'ipv4')
  if (!isIPv6(ip) || ip.includes('%')) return false
  return globalIpv6.check(ip, 'ipv6') && !specialIpv6.check(ip, 'ipv6')
}

function blocks(list: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const blockList = new BlockList()
  for (const block of list) {
    const [network = '', bits] = block.split('/')
    blockList.addSubnet(network, Number(bits), family)
  }
  return blockList
}

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
