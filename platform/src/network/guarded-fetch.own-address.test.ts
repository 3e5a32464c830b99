import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { guardedFetch } from './guarded-fetch.ts'
import { reasonOf } from './testing/fetch-here.ts'

// A machine that runs tests rarely has a public address, so it gets one here.
beforeAll(() => {
  const address = { netmask: '', mac: '', internal: false, cidr: null }
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({
    eth0: [
      { ...address, family: 'IPv4', address: '8.8.8.8' },
      { ...address, family: 'IPv6', address: '2001:4860:4860::8888', scopeid: 0 },
    ],
  })
  syncBuiltinESMExports()
})
afterAll(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

test.each(['http://8.8.8.8/', 'http://[2001:4860:4860:0::8888]:8080/'])(
  'the public address of this machine itself is refused: %s',
  async (url) => {
    const options = { maxBytes: 1024, timeoutMs: 100, maxRedirects: 0, accept: '*/*' }

    expect(await reasonOf(guardedFetch(url, options))).toBe('address')
  },
)
