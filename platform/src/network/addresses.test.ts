import { networkInterfaces } from 'node:os'

import { describe, expect, test } from 'vitest'

import { isOwnAddress, isPublicAddress } from './addresses.ts'

describe('the public internet', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.215.14',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '168.63.129.17',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700:4700::1111',
    '2A00:1450:4001:82F::200E',
    '2a00:1450::1.2.3.4',
  ])('the public internet includes %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true)
  })
})

describe('other addresses', () => {
  test.each([
    ['this network', ['0.0.0.0', '0.1.2.3', '0.255.255.255', '::']],
    ['loopback', ['127.0.0.1', '127.0.0.53', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']],
    ['private', ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255']],
    ['unique local', ['fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff:ffff::1', 'FD00::1']],
    ['carrier-grade NAT', ['100.64.0.0', '100.100.100.200', '100.127.255.255']],
    ['link-local', ['169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::1', 'febf::1', 'FE80::1']],
    ['site-local', ['fec0::1', 'feff::1']],
    ["a cloud's inner services", ['168.63.129.16']],
    ['protocol assignments', ['192.0.0.1', '192.0.0.192', '192.0.0.255', '2001:1::1', '2001:10::1', '2001:20::1']],
    ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff::1']],
    ['benchmarking', ['198.18.0.1', '198.19.255.255', '2001:2::1']],
    ['anycast services', ['192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1', '2620:4f:8000::1']],
    ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
    ['reserved and broadcast', ['240.0.0.1', '255.255.255.255']],
    ['mapped IPv4', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:ffff:10.0.0.1', '::FFFF:A00:1']],
    ['compatible and translated IPv4', ['::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1']],
    ['NAT64', ['64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::a00:1']],
    ['Teredo', ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2']],
    ['6to4', ['2002:7f00:1::', '2002:808:808::1']],
    ['discard-only and segment routing', ['100::1', '100:0:0:1::1', '5f00::1']],
    ['unassigned', ['200::1', '400::1', '3ffe::1', '4000::1', '8000::1', 'e000::1', 'fe00::1']],
    [
      'odd spellings of IPv4',
      ['2130706433', '134744072', '0x8.8.8.8', '0x08080808', '010.8.8.8', '8.8.8.08', '8.8.8', '8'],
    ],
    [
      'spellings that are not an address',
      ['', ' ', '8.8.8.8 ', ' 8.8.8.8', '8.8.8.8.', '8.8.8.8:80', '8.8.8.256', '8.8.8.8/32'],
    ],
    ['zones and brackets', ['fe80::1%eth0', '2606:4700::1111%1', '2606:4700::1111%', '[2606:4700::1111]']],
    ['names', ['localhost', 'example.org', '8.8.8.8.nip.example', '８.8.8.8']],
    ['broken IPv6', ['2606:4700', '2606:::1', '2606:4700::1::1', '2606:4700::11111', ':', '2606:4700::1\0']],
  ])('an address of the kind "%s" is not public', (_kind, addresses) => {
    expect(addresses.filter((ip) => isPublicAddress(ip))).toEqual([])
  })
})

test("this machine's addresses are recognized in upper and lower case", () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])

  expect(own).not.toEqual([])
  expect(own.filter((ip) => !isOwnAddress(ip) || !isOwnAddress(ip.toUpperCase()))).toEqual([])
})

test("other addresses and invalid ones are not recognized as this machine's", () => {
  expect(['192.0.2.77', '2001:db8::77', 'localhost', ''].filter((ip) => isOwnAddress(ip))).toEqual([])
})
