import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

import { isOwnAddress, isPublicAddress } from './addresses.ts'

/** Which addresses may be dialled: those of the public internet, also private networks, or also the networks of a list. */
export type AllowedNetworks = 'public' | 'private' | readonly string[]

/** The networks of homes and companies. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

/** Networks in which users may never name a server, even if a network of the list includes them. */
const NEVER = [
  '0.0.0.0/8', // this network
  '169.254.0.0/16', // link-local, cloud metadata
  '100.100.100.200/32', // cloud metadata
  '168.63.129.16/32', // a cloud's inner services
  '192.0.0.192/32', // cloud metadata
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '::/128', // unspecified
  '::ffff:0:0/96', // mapped IPv4
  '64:ff9b::/96', // translated IPv4
  '64:ff9b:1::/48', // translated IPv4
  '2001::/32', // Teredo: carries any IPv4 address
  '2002::/16', // 6to4: carries any IPv4 address
  'fd00:ec2::254/128', // cloud metadata
  'fd20:ce::254/128', // cloud metadata
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
]

const isNever = inNetworks(NEVER)
const isPrivate = inNetworks(PRIVATE)

/**
 * The rule for the address of a server that a user names, where the operator allows more than the public internet. Link-local
 * addresses, those of cloud metadata, multicast and other notations of IPv4 are never allowed, nor is a public address of
 * this machine unless it is in the list.
 */
export function allowNetworks(allowed: AllowedNetworks): (ip: string) => boolean {
  const isAllowed = insideOf(allowed)
  return (ip) => !isNever(ip) && (isAllowed(ip) || (isPublicAddress(ip) && !isOwnAddress(ip)))
}

function insideOf(allowed: AllowedNetworks): (ip: string) => boolean {
  if (allowed === 'public') return () => false
  return allowed === 'private' ? isPrivate : inNetworks(allowed)
}

/** Whether a text is an address or a network in CIDR form. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** One list for each kind of address: `BlockList` takes an IPv4 address for its mapped notation. */
function inNetworks(networks: readonly string[]): (ip: string) => boolean {
  const ipv4 = new BlockList()
  const ipv6 = new BlockList()
  for (const text of networks) {
    const [address = '', bits] = text.split('/')
    if (isIPv4(address)) ipv4.addSubnet(address, Number(bits ?? 32), 'ipv4')
    else ipv6.addSubnet(address, Number(bits ?? 128), 'ipv6')
  }
  return (ip) => {
    if (isIPv4(ip)) return ipv4.check(ip, 'ipv4')
    return isIPv6(ip) && !ip.includes('%') && ipv6.check(ip, 'ipv6')
  }
}
