import { expect, test } from 'vitest'

import { createNameLookup } from './name-lookup.ts'
import { fetchHere, reasonOf } from './testing/fetch-here.ts'
import { aNameServer, aSilentNameServer } from './testing/name-server.ts'

const noDeadline = new AbortController().signal

test('the IPv4 and IPv6 addresses of a name are found', async () => {
  const lookup = createNameLookup([
    await aNameServer({ A: ['08080808', '0a000001'], AAAA: ['20014860486000000000000000008888'] }),
  ])

  expect((await lookup('pictures.example', noDeadline)).toSorted()).toEqual([
    '10.0.0.1',
    '2001:4860:4860::8888',
    '8.8.8.8',
  ])
})

test('a name with only IPv4 addresses is found', async () => {
  const lookup = createNameLookup([await aNameServer({ A: ['08080808'], AAAA: [] })])

  expect(await lookup('pictures.example', noDeadline)).toEqual(['8.8.8.8'])
})

test.each([
  ['has no address', { A: [], AAAA: [] }],
  ['its server cannot answer for', {}],
])('a lookup of a name that %s fails', async (_what, records) => {
  const lookup = createNameLookup([await aNameServer(records)])

  await expect(lookup('pictures.example', noDeadline)).rejects.toThrow('pictures.example has no address')
})

test('a guarded fetch refuses a private address from the name lookup', async () => {
  const lookup = createNameLookup([await aNameServer({ A: ['7f000001'], AAAA: ['00000000000000000000ffff0a000001'] })])

  expect(await reasonOf(fetchHere('http://mapped.example/', { lookup }))).toBe('address')
})

test('a lookup stops at the deadline', async () => {
  const lookup = createNameLookup([await aSilentNameServer()])

  await expect(lookup('slow.example', AbortSignal.timeout(50))).rejects.toMatchObject({
    errors: [{ code: 'ECANCELLED' }, { code: 'ECANCELLED' }],
  })
})
