import { expect, test } from 'vitest'

import { neighbourhoodOf, networksOf, takeByAddress } from './by-address.ts'
import { localRateLimiter } from './rate-limiter.ts'

test.each([
  ['203.0.113.7', '203.0.113.7', undefined],
  ['::ffff:203.0.113.7', '203.0.113.7', undefined],
  ['::ffff:cb00:7107', '203.0.113.7', undefined],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:2:ffff::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::9', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['2001:db8:1:2::192.0.2.33', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['no address', 'no address', undefined],
])('%s counts as client %s of site %s', (address, client, site) => {
  expect(networksOf(address)).toEqual({ client, site })
})

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['no address', 'no address'],
])('%s is in the neighbourhood %s', (address, neighbourhood) => {
  expect(neighbourhoodOf(address)).toBe(neighbourhood)
})

test('a client that changes its /64 within one site gets at most four times the limit', async () => {
  const limiter = localRateLimiter()
  const limit = { max: 2, windowSeconds: 60 }
  const take = async (address: string) => (await takeByAddress(limiter, 'call', address, limit)) === undefined

  const ofOneClient = [await take('2001:db8:1:1::1'), await take('2001:db8:1:1::2'), await take('2001:db8:1:1::3')]
  const ofOthers: boolean[] = []
  for (let n = 2; n < 10; n += 1) ofOthers.push(await take(`2001:db8:1:${n}::1`))

  expect(ofOneClient).toEqual([true, true, false])
  expect(ofOthers).toEqual([true, true, true, true, true, true, false, false])
  expect(await take('2001:db8:2:1::1')).toBe(true)
})
