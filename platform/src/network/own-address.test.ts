import { networkInterfaces } from 'node:os'

import { expect, test } from 'vitest'

import { isOwnAddress } from './own-address.ts'

test("this machine's addresses are its own in any notation", () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])

  expect(own).not.toEqual([])
  expect(own.filter((ip) => !isOwnAddress(ip) || !isOwnAddress(ip.toUpperCase()))).toEqual([])
})

test("other addresses and invalid ones are not this machine's", () => {
  expect(['192.0.2.77', '2001:db8::77', 'localhost', ''].filter((ip) => isOwnAddress(ip))).toEqual([])
})
