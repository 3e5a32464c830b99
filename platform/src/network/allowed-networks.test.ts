import { networkInterfaces } from 'node:os'

import { describe, expect, test } from 'vitest'

import { allowNetworks, isNetwork } from './allowed-networks.ts'

const PUBLIC = ['1.1.1.1', '93.184.215.14', '172.32.0.0', '192.169.0.0', '2606:4700:4700::1111']
const PRIVATE = ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255']
const UNIQUE_LOCAL = ['fc00::1', 'fd12:3456:789a::10', 'fdff:ffff::1', 'FD00::1']
const LOOPBACK = ['127.0.0.1', '127.255.255.255', '::1']
const CARRIER = ['100.64.0.1', '100.127.255.255']
/** What no setting allows. */
const NEVER: [string, string[]][] = [
  ['this network', ['0.0.0.0', '0.255.255.255', '::']],
  ['link-local', ['169.254.0.1', '169.254.169.254', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0']],
  ['site-local', ['fec0::1']],
  ['cloud metadata', ['169.254.169.254', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254']],
  ["a cloud's inner services", ['168.63.129.16']],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
  ['reserved and broadcast', ['240.0.0.1', '255.255.255.255']],
  ['mapped IPv4', ['::ffff:10.0.0.1', '::ffff:a00:1', '::FFFF:192.168.1.2', '::ffff:127.0.0.1', '::ffff:8.8.8.8']],
  ['NAT64', ['64:ff9b::a00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1']],
  ['Teredo and 6to4', ['2001::1', '2002:a00:1::', '2002:808:808::1']],
  ['odd spellings of IPv4', ['2130706433', '0x7f.1', '010.0.0.1', '10.1', '10.0.0.1.', '10.0.0.1:80', ' 10.0.0.1']],
  ['names and brackets', ['localhost', '', '[fd00::1]', 'fd00::1%1', 'fd00::1%']],
]
/** Networks that are neither public nor private. */
const SPECIAL = [
  '192.0.0.1',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.255',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '100::1',
  '200::1',
  '2001:db8::1',
  '2620:4f:8000::1',
  '3ffe::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
]

const ALL = ['0.0.0.0/0', '::/0']

describe.each([
  ['public', 'public'],
  ['private', 'private'],
  ['a list', ['192.168.1.0/24', '127.0.0.0/8', 'fd12::/16']],
  ['a list of everything', ALL],
] as const)('the rule "%s"', (_name, allowed) => {
  const isAllowed = allowNetworks(allowed)

  test('addresses of the public internet are allowed', () => {
    expect(PUBLIC.filter((ip) => !isAllowed(ip))).toEqual([])
  })

  // Evidence: asvs-1.3.6
  test.each(NEVER)('an address of the kind "%s" is not allowed', (_kind, addresses) => {
    expect(addresses.filter((ip) => isAllowed(ip))).toEqual([])
  })
})

test('the rule "public" allows nothing but the public internet', () => {
  const isAllowed = allowNetworks('public')

  expect([...PRIVATE, ...UNIQUE_LOCAL, ...LOOPBACK, ...CARRIER, ...SPECIAL].filter((ip) => isAllowed(ip))).toEqual([])
})

test('the rule "private" allows private networks, but neither loopback nor special networks', () => {
  const isAllowed = allowNetworks('private')

  expect([...PRIVATE, ...UNIQUE_LOCAL].filter((ip) => !isAllowed(ip))).toEqual([])
  expect([...LOOPBACK, ...CARRIER, ...SPECIAL].filter((ip) => isAllowed(ip))).toEqual([])
})

// Evidence: asvs-13.2.4
test('a list of networks allows the networks in it but no neighbouring ones', () => {
  const isAllowed = allowNetworks(['192.168.1.0/24', '10.0.0.7', '127.0.0.0/8', '::1', 'fd12::/16', '100.64.0.0/10'])

  expect(
    ['192.168.1.0', '192.168.1.255', '10.0.0.7', '127.0.0.1', '::1', 'fd12:3456::1', '100.64.0.1'].filter(
      (ip) => !isAllowed(ip),
    ),
  ).toEqual([])
  expect(
    ['192.168.0.255', '192.168.2.0', '10.0.0.6', '172.16.0.1', '::2', '::127.0.0.1', 'fd13::1', ...SPECIAL].filter(
      (ip) => isAllowed(ip),
    ),
  ).toEqual([])
})

test("this machine's addresses are allowed only if their network is", () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
  const isPrivate = (ip: string) => /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|^f[cd]/u.test(ip)

  expect(own.filter((ip) => allowNetworks('public')(ip))).toEqual([])
  expect(own.filter((ip) => allowNetworks('private')(ip))).toEqual(own.filter(isPrivate))
})

test('a network can be written as an address or in CIDR notation', () => {
  expect(['10.0.0.0/8', '192.168.1.7', '::1', 'fd00::/8', '0.0.0.0/0'].filter((text) => !isNetwork(text))).toEqual([])
  expect(
    [
      '',
      'private',
      '10.0.0.0/33',
      '10.0.0/8',
      'fd00::/129',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/-1',
      'fe80::1%1/64',
    ].filter((text) => isNetwork(text)),
  ).toEqual([])
})
