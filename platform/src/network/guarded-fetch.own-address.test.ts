import type * as Os from 'node:os'

import { expect, test, vi } from 'vitest'

import { guardedFetch } from './guarded-fetch.ts'
import { reasonOf } from './testing/fetch-here.ts'

// A machine that stands on the internet with an address of its own, which no test machine can be relied on to do.
vi.mock('node:os', async (original) => ({
  ...(await original<typeof Os>()),
  networkInterfaces: () => ({ eth0: [{ address: '8.8.8.8' }, { address: '2001:4860:4860::8888' }] }),
}))

test.each(['http://8.8.8.8/', 'http://[2001:4860:4860:0::8888]:8080/'])(
  'the public address of this machine itself is refused: %s',
  async (url) => {
    const options = { maxBytes: 1024, timeoutMs: 100, maxRedirects: 0, accept: '*/*' }

    expect(await reasonOf(guardedFetch(url, options))).toBe('address')
  },
)
