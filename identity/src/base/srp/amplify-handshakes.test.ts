import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'
import { systemRandom } from '@marquee/platform/runtime/random'

import {
  claimSignature,
  type Handshake,
  N,
  newSalt,
  power,
  powerOfGenerator,
  readPublicValue,
  saltHex,
  sessionKey,
  sha256,
  startHandshake,
  toGroupBytes,
  toInteger,
  verifierOf,
} from './srp.ts'

type BigInteger = { toString: (radix: number) => string }
type Client = {
  A: BigInteger
  getPasswordAuthenticationKey: (input: object) => Promise<Uint8Array>
}
type AmplifySrp = {
  getAuthenticationHelper: (poolName: string) => Promise<Client>
  getSignatureString: (input: object) => string
}

/** Amplify's own unmodified arithmetic, which its package does not export. */
function loadAmplifySrp() {
  const fromAmplify = createRequire(createRequire(import.meta.url).resolve('aws-amplify'))
  const folder = join(dirname(fromAmplify.resolve('@aws-amplify/auth')), 'providers/cognito/utils/srp')
  const { BigInteger } = fromAmplify(join(folder, 'BigInteger')) as {
    BigInteger: new (hex: string, radix: number) => BigInteger
  }
  const { default: AuthenticationHelper } = fromAmplify(join(folder, 'AuthenticationHelper/AuthenticationHelper')) as {
    default: new (parts: Record<'a' | 'g' | 'A' | 'N', BigInteger> & { userPoolName: string }) => Client
  }
  return {
    ...(fromAmplify(folder) as AmplifySrp),
    AuthenticationHelper,
    toBigInteger: (hex: string) => new BigInteger(hex, 16),
  }
}

const { getAuthenticationHelper, getSignatureString, AuthenticationHelper, toBigInteger } = loadAmplifySrp()
const owner = { poolName: 'Ab12Cd34E', userId: '3f2b8c1e-5a6d-4e7f-8a90-b1c2d3e4f506' }
const timestamp = 'Sat Sep 5 09:03:07 UTC 2026'

/** The signatures of a handshake as Amplify and as the server compute them, and its numbers as minimal hex. */
async function shakeHands(client: Client, password: string, salt: Buffer, random = systemRandom) {
  const verifier = verifierOf(owner, password, salt)
  const A = readPublicValue(client.A.toString(16)) ?? 0n
  const { B, handshake } = startHandshake(A, verifier, random)
  const secretBlock = systemRandom.bytes(40)
  const hkdf = await client.getPasswordAuthenticationKey({
    username: owner.userId,
    password,
    serverBValue: toBigInteger(B),
    salt: toBigInteger(saltHex(salt)),
  })
  const amplify = getSignatureString({
    userPoolName: owner.poolName,
    username: owner.userId,
    challengeParameters: { SECRET_BLOCK: secretBlock.toString('base64') },
    dateNow: timestamp,
    hkdf,
  })
  const key = (await sessionKey(handshake, verifier)) ?? Buffer.alloc(16)
  const server = claimSignature(key, owner, { secretBlock, timestamp }).toString('base64')
  return { amplify, server, lengths: lengthsOf(A, B, handshake, verifier) }
}

/** How many hex digits each number of a handshake has; S is the secret both sides arrive at. */
function lengthsOf(A: bigint, B: string, { b, u }: Handshake, verifier: Uint8Array) {
  const base = (A * toInteger(power(verifier, u))) % N
  const S = toInteger(power(toGroupBytes(base), b))
  return { A: A.toString(16).length, B: B.length, u: toInteger(u).toString(16).length, S: S.toString(16).length }
}

test('ten random handshakes give the same keys as the Amplify helper', async () => {
  for (let round = 0; round < 10; round += 1) {
    const client = await getAuthenticationHelper(owner.poolName)
    const { amplify, server } = await shakeHands(client, `Pass ${systemRandom.uuid()} ë🎬`, newSalt(systemRandom))

    expect(server).toBe(amplify)
  }
})

// Implementations strip leading zeros in different places, so they differ in numbers of odd length and in numbers
// that are a byte short. The server's secret is the hash of the number that makes one of the others short.
test.each([
  ['B of odd length', 13, { B: 767, u: 64, S: 768 }],
  ['u of odd length', 24, { B: 768, u: 63, S: 768 }],
  ['S of odd length', 67, { B: 768, u: 64, S: 767 }],
  ['B a byte short', 81, { B: 766, u: 64, S: 768 }],
  ['u a byte short', 244, { B: 768, u: 62, S: 768 }],
  ['S a byte short', 291, { B: 768, u: 64, S: 766 }],
])('a handshake with %s gives the same key as the Amplify helper', async (_what, seed, short) => {
  const secret = sha256(Buffer.from('a3'))
  const client = new AuthenticationHelper({
    userPoolName: owner.poolName,
    a: toBigInteger(secret.toString('hex')),
    g: toBigInteger('2'),
    A: toBigInteger(powerOfGenerator(secret).toString('hex')),
    N: toBigInteger(N.toString(16)),
  })
  const saltOfOddLength = Buffer.from('0d1e2f30415263748596a7b8c9daebfc', 'hex')
  const random = { ...systemRandom, bytes: () => sha256(Buffer.from(String(seed))) }
  const { amplify, server, lengths } = await shakeHands(client, 'Passw0rd ë🎬', saltOfOddLength, random)

  expect(lengths).toEqual({ A: 767, ...short })
  expect(server).toBe(amplify)
})
