import { expect, test } from 'vitest'

import {
  claimSignature,
  K,
  N,
  powerOfGenerator,
  publicValue,
  readPublicValue,
  scramble,
  sessionKey,
  toInteger,
  verifierOf,
} from './srp.ts'
import vectors from './vectors.json' with { type: 'json' }

const bytes = (hex: string) => Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')

test('the SRP group is the one built into clients', () => {
  expect(N.toString(16)).toBe(vectors.N)
  expect(K.toString(16)).toBe(vectors.k)
})

// Evidence: asvs-11.2.1
test.each(vectors.vectors)('the published handshake is reproduced byte for byte: $label', async (vector) => {
  const owner = { poolName: vector.poolName, userId: vector.userId }
  const A = BigInt(`0x${vector.A}`)
  const b = bytes(vector.b)

  const verifier = verifierOf(owner, vector.password, bytes(vector.salt))
  const B = publicValue(verifier, b)
  const u = scramble(A, B)
  const key = await sessionKey({ A: bytes(vector.A), b, u }, verifier)

  expect(toInteger(powerOfGenerator(bytes(vector.a))).toString(16)).toBe(vector.A)
  expect(toInteger(verifier).toString(16)).toBe(vector.v)
  expect(B.toString(16)).toBe(vector.B)
  expect(toInteger(u).toString(16)).toBe(vector.u)
  expect(key?.toString('hex')).toBe(vector.key)
  const claim = { secretBlock: Buffer.from(vector.secretBlock, 'base64'), timestamp: vector.timestamp }
  expect(claimSignature(key ?? Buffer.alloc(16), owner, claim).toString('base64')).toBe(vector.signature)
})

test.each([
  ['zero', 0n],
  ['one', 1n],
  ['N − 1', N - 1n],
  ['N', N],
  ['2N', 2n * N],
])('a public value of %s, which would reveal the secret, is rejected', (_name, value) => {
  expect(readPublicValue(value.toString(16))).toBeUndefined()
})

test.each(['', 'xyz', '-5', '0x5', 'f'.repeat(771)])('the malformed public value %j is rejected', (text) => {
  expect(readPublicValue(text.slice(0, 800))).toBeUndefined()
})

test('a public value of odd length is accepted', () => {
  expect(readPublicValue('abc')).toBe(0xabcn)
})
