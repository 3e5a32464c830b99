import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { systemRandom } from '@marquee/platform/runtime/random'

import { N, power, toGroupBytes, toInteger } from './group.ts'
import { claimSignature, type Handshake, readPublicValue, sessionKey, startHandshake } from './handshake.ts'
import { newSalt, saltHex, verifierOf } from './verifier.ts'

const ROUNDS = 1000
const FULL = 768
const HASH = 64
/** Rounds of which each is repeated on the server's side until its value has a whole zero byte in front. */
const SOUGHT = ['S', 'u', 'B', 'S', 'u', 'B'] as const

type BigInteger = { toString: (radix: number) => string }
type AmplifySrp = {
  getAuthenticationHelper: (poolName: string) => Promise<{
    A: BigInteger
    getPasswordAuthenticationKey: (input: object) => Promise<Uint8Array>
  }>
  getSignatureString: (input: object) => string
}

/** Amplify's own arithmetic, unmodified, which its package does not export. */
function loadAmplifySrp(): { srp: AmplifySrp; toBigInteger: (hex: string) => BigInteger } {
  const fromAmplify = createRequire(createRequire(import.meta.url).resolve('aws-amplify'))
  const folder = join(dirname(fromAmplify.resolve('@aws-amplify/auth')), 'providers/cognito/utils/srp')
  const srp = fromAmplify(folder) as AmplifySrp
  const { BigInteger } = fromAmplify(join(folder, 'BigInteger')) as {
    BigInteger: new (hex: string, radix: number) => BigInteger
  }
  return { srp, toBigInteger: (hex) => new BigInteger(hex, 16) }
}

/** The numbers of a handshake as minimal hex; S is the secret both sides arrive at. */
function numbersOf(B: string, { A, b, u }: Handshake, verifier: Uint8Array): Record<'B' | 'u' | 'S', string> {
  const base = (toInteger(A) * toInteger(power(verifier, u))) % N
  const S = toInteger(power(toGroupBytes(base), b))
  return { B, u: toInteger(u).toString(16), S: S.toString(16) }
}

test('a thousand random handshakes with the helper of Amplify agree, short and odd-length numbers included', async () => {
  const { srp, toBigInteger } = loadAmplifySrp()
  const owner = { poolName: 'Ab12Cd34E', userId: systemRandom.uuid() }
  const isShort = { B: FULL - 2, u: HASH - 2, S: FULL - 2 }
  const short = { B: 0, u: 0, S: 0 }
  const odd = { A: 0, B: 0, u: 0, S: 0, salt: 0 }
  let client = await srp.getAuthenticationHelper(owner.poolName)
  let mismatches = 0

  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 10 === 0) client = await srp.getAuthenticationHelper(owner.poolName)
    const password = `Pass ${systemRandom.uuid()} ë🎬`
    const salt = newSalt(systemRandom)
    const verifier = verifierOf(owner, password, salt)
    const A = readPublicValue(client.A.toString(16)) ?? 0n
    const sought = SOUGHT[round]
    let { B, handshake } = startHandshake(A, verifier, systemRandom)
    let numbers = numbersOf(B, handshake, verifier)
    while (sought !== undefined && numbers[sought].length > isShort[sought]) {
      ;({ B, handshake } = startHandshake(A, verifier, systemRandom))
      numbers = numbersOf(B, handshake, verifier)
    }
    for (const name of ['B', 'u', 'S'] as const) {
      if (numbers[name].length <= isShort[name]) short[name] += 1
      odd[name] += numbers[name].length % 2
    }
    odd.A += A.toString(16).length % 2
    odd.salt += saltHex(salt).length % 2

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
    const key = (await sessionKey(handshake, verifier)) ?? Buffer.alloc(16)
    const expected = claimSignature(key, owner, { secretBlock, timestamp }).toString('base64')
    if (signature !== expected) mismatches += 1
  }

  expect(mismatches).toBe(0)
  for (const count of Object.values(short)) expect(count).toBeGreaterThanOrEqual(2)
  for (const count of [odd.B, odd.u, odd.S, odd.salt]) expect(count).toBeGreaterThan(0)
}, 900_000)
