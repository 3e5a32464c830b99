import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { systemRandom } from '@marquee/platform/runtime/random'

import { K, N, powerOfGenerator, toInteger } from './group.ts'
import { claimSignature, publicValue, readPublicValue, scramble, sessionKey, startHandshake } from './handshake.ts'
import vectors from './vectors.json' with { type: 'json' }
import { newSalt, saltHex, verifierOf } from './verifier.ts'

const bytes = (hex: string) => Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')

test('the group is the one every client has built in', () => {
  expect(N.toString(16)).toBe(vectors.N)
  expect(K.toString(16)).toBe(vectors.k)
})

test.each(vectors.vectors)('the published handshake comes out byte by byte: $label', (vector) => {
  const owner = { poolName: vector.poolName, userId: vector.userId }
  const A = BigInt(`0x${vector.A}`)
  const b = bytes(vector.b)

  const verifier = verifierOf(owner, vector.password, bytes(vector.salt))
  const B = publicValue(verifier, b)
  const u = scramble(A, B)
  const key = sessionKey({ A: bytes(vector.A), b, u }, verifier)

  expect(toInteger(powerOfGenerator(bytes(vector.a))).toString(16)).toBe(vector.A)
  expect(toInteger(verifier).toString(16)).toBe(vector.v)
  expect(B.toString(16)).toBe(vector.B)
  expect(toInteger(u).toString(16)).toBe(vector.u)
  expect(key?.toString('hex')).toBe(vector.key)
  const claim = { secretBlock: Buffer.from(vector.secretBlock, 'base64'), timestamp: vector.timestamp }
  expect(claimSignature(key ?? Buffer.alloc(16), owner, claim).toString('base64')).toBe(vector.signature)
})

type BigInteger = { toString: (radix: number) => string }
type AmplifySrp = {
  getAuthenticationHelper: (poolName: string) => Promise<{
    A: BigInteger
    getPasswordAuthenticationKey: (input: object) => Promise<Uint8Array>
  }>
  getSignatureString: (input: object) => string
}

/** Amplify's own arithmetic, which its package does not export. */
function loadAmplifySrp(): { srp: AmplifySrp; toBigInteger: (hex: string) => BigInteger } {
  const fromAmplify = createRequire(createRequire(import.meta.url).resolve('aws-amplify'))
  const folder = join(dirname(fromAmplify.resolve('@aws-amplify/auth')), 'providers/cognito/utils/srp')
  const srp = fromAmplify(folder) as AmplifySrp
  const { BigInteger } = fromAmplify(join(folder, 'BigInteger')) as {
    BigInteger: new (hex: string, radix: number) => BigInteger
  }
  return { srp, toBigInteger: (hex) => new BigInteger(hex, 16) }
}

test('thirty random handshakes with the helper of Amplify agree', async () => {
  const { srp, toBigInteger } = loadAmplifySrp()
  const owner = { poolName: 'Ab12Cd34E', userId: systemRandom.uuid() }
  let mismatches = 0

  for (let round = 0; round < 30; round += 1) {
    const password = `Pass ${systemRandom.uuid()} ë🎬`
    const salt = newSalt(systemRandom)
    const verifier = verifierOf(owner, password, salt)
    const client = await srp.getAuthenticationHelper(owner.poolName)
    const A = readPublicValue(client.A.toString(16)) ?? 0n
    const { B, handshake } = startHandshake(A, verifier, systemRandom)
    const secretBlock = systemRandom.bytes(40)
    const timestamp = 'Sat Sep 5 09:03:07 UTC 2026'
    const hkdf = await client.getPasswordAuthenticationKey({
      username: owner.userId,
      password,
      serverBValue: toBigInteger(B),
      salt: toBigInteger(saltHex(salt)),
    })
    const signature = srp.getSignatureString({
      userPoolName: owner.poolName,
      username: owner.userId,
      challengeParameters: { SECRET_BLOCK: secretBlock.toString('base64') },
      dateNow: timestamp,
      hkdf,
    })
    const key = sessionKey(handshake, verifier) ?? Buffer.alloc(16)
    const expected = claimSignature(key, owner, { secretBlock, timestamp }).toString('base64')
    if (signature !== expected) mismatches += 1
  }

  expect(mismatches).toBe(0)
})

test.each([
  ['zero', 0n],
  ['one', 1n],
  ['N − 1', N - 1n],
  ['N', N],
  ['2N', 2n * N],
])('a public value of %s, which would give the secret away, is refused', (_name, value) => {
  expect(readPublicValue(value.toString(16))).toBeUndefined()
})

test.each(['', 'xyz', '-5', '0x5', 'f'.repeat(771)])('a public value that is no number (%j) is refused', (text) => {
  expect(readPublicValue(text.slice(0, 800))).toBeUndefined()
})

test('a public value of odd length is read', () => {
  expect(readPublicValue('abc')).toBe(0xabcn)
})
