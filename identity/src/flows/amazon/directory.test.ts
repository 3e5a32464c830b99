import { randomBytes } from 'node:crypto'

import { generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { createLogger } from '@marquee/platform/runtime/logger'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { DirectoryUnavailable, InvalidToken } from '../../index.ts'
import { POOL_TABLES, type TestClock, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signIn, signUp } from '../../testing/people.ts'
import { ADMIN_KEY, aStandIn, type StandIn } from '../../testing/stand-in.ts'
import { addressesOf } from './addresses.ts'
import { createAmazonTokenVerifier } from './amazon-tokens.ts'
import { type Directory, openDirectory } from './directory.ts'

const HOUR_MS = 3600_000
const MASTER_KEY = randomBytes(32)

anyDatabase(POOL_TABLES, (useDatabase) => {
  let standIn: StandIn
  let directory: Directory
  let clock: TestClock

  beforeEach(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', ADMIN_KEY.accessKeyId)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', ADMIN_KEY.secretAccessKey)
    // Signatures and jose's cache use the real clock.
    clock = testClock(new Date().toISOString())
    standIn = await aStandIn(useDatabase(), { clock, masterKey: MASTER_KEY })
    directory = open()
  })
  afterEach(async () => {
    directory.close()
    await standIn.close()
    vi.unstubAllEnvs()
    vi.useRealTimers()
  })

  const open = (changes: Partial<StandIn['amazon']> = {}) =>
    openDirectory({ ...standIn.amazon, ...changes }, { clock, logger: createLogger('silent') })
  const countOf = (what: RegExp) => standIn.asked().filter((name) => what.test(name)).length
  const JWKS = /json$/u
  const LOOK_UP = /^AdminGetUser$/u

  describe('an id token', () => {
    test('an id token identifies its user, and the keys are fetched only once', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      const [first, second] = [await signIn(standIn.pool, ana), await signIn(standIn.pool, ana)]

      const users = await Promise.all(
        [first, second, first].map(async ({ IdToken }) => await directory.verifyIdToken(IdToken)),
      )

      for (const user of users) expect(user).toMatchObject({ userId: ana.sub, username: ana.username })
      expect(users[0]?.authTime).toBe(Math.floor(clock.now().getTime() / 1000))
      expect(users[0]?.expiresAt).toBe(Math.floor(clock.now().getTime() / 1000) + 3600)
      expect(countOf(JWKS)).toBe(1)
    })

    test('a verified id token is accepted until it expires', async () => {
      const { IdToken } = await signIn(standIn.pool, await aConfirmedUser(standIn.pool))
      await directory.verifyIdToken(IdToken)

      clock.advance(HOUR_MS - 1000)
      await expect(directory.verifyIdToken(IdToken)).resolves.toBeDefined()
      clock.advance(1000)

      await expect(directory.verifyIdToken(IdToken)).rejects.toThrow(InvalidToken)
    })

    test.each([
      ['an access token', (tokens: { AccessToken: string }) => tokens.AccessToken],
      ['nonsense text', () => 'nonsense'],
      ['an empty text', () => ''],
      ['a truncated token', (tokens: { IdToken: string }) => tokens.IdToken.slice(0, -9)],
      ['a token without a signature', ({ IdToken }: { IdToken: string }) => unsigned(IdToken)],
      ['a text of 9,000 characters', () => 'x'.repeat(9_000)],
    ])('%s is rejected as an id token', async (_what, choose) => {
      const tokens = await signIn(standIn.pool, await aConfirmedUser(standIn.pool))

      await expect(directory.verifyIdToken(choose(tokens))).rejects.toThrow(InvalidToken)
    })

    test('an id token of another client is rejected', async () => {
      const { IdToken } = await signIn(standIn.pool, await aConfirmedUser(standIn.pool))
      const other = open({ clientId: 'anotherclient' })

      await expect(other.verifyIdToken(IdToken)).rejects.toThrow(InvalidToken)
      other.close()
    })

    test('an id token that expired before its first use is rejected', async () => {
      const { IdToken } = await signIn(standIn.pool, await aConfirmedUser(standIn.pool))

      clock.advance(HOUR_MS)

      await expect(directory.verifyIdToken(IdToken)).rejects.toThrow(InvalidToken)
    })
  })

  describe('the keys', () => {
    test('known keys stay in use during an outage of any length', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      await directory.verifyIdToken((await signIn(standIn.pool, ana)).IdToken)

      standIn.cut(JWKS)
      for (const hours of [1, 5, 24, 30 * 24, 365 * 24]) {
        clock.advance(hours * HOUR_MS)
        vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
        const { IdToken } = await signIn(standIn.pool, ana)
        expect(await directory.verifyIdToken(IdToken)).toMatchObject({ userId: ana.sub })
      }

      expect(countOf(JWKS)).toBeGreaterThan(1)
    })

    // Evidence: asvs-16.5.3
    test('a failure to fetch the keys causes DirectoryUnavailable, not InvalidToken', async () => {
      const { IdToken } = await signIn(standIn.pool, await aConfirmedUser(standIn.pool))

      standIn.cut(JWKS)
      await expect(directory.verifyIdToken(IdToken)).rejects.toThrow(DirectoryUnavailable)
      await expect(directory.verifyIdToken(IdToken)).rejects.toThrow(DirectoryUnavailable)
      // The second call fails at once, without another attempt.
      expect(countOf(JWKS)).toBe(1)
      standIn.cut(undefined)
      clock.advance(6_000)

      await expect(directory.verifyIdToken(IdToken)).resolves.toBeDefined()
    })

    test('the keys are reloaded for an unknown key id, but not for each forged one', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      await directory.verifyIdToken((await signIn(standIn.pool, ana)).IdToken)
      const madeUp = await forged(standIn, 'no such key')

      for (let time = 0; time < 5; time += 1) {
        await expect(directory.verifyIdToken(madeUp)).rejects.toThrow(InvalidToken)
      }
      expect(countOf(JWKS)).toBe(1)

      vi.useFakeTimers({ toFake: ['Date'], now: new Date().getTime() + 31_000 })
      await expect(directory.verifyIdToken(madeUp)).rejects.toThrow(InvalidToken)
      expect(countOf(JWKS)).toBe(2)
    })

    test('a token that an attacker signs under a known key id is rejected', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      const { IdToken } = await signIn(standIn.pool, ana)
      const { kid } = JSON.parse(Buffer.from(IdToken.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }

      await expect(directory.verifyIdToken(await forged(standIn, kid))).rejects.toThrow(InvalidToken)
    })

    test('a token signed with a new key causes the keys to be fetched again', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      await directory.verifyIdToken((await signIn(standIn.pool, ana)).IdToken)
      const before = countOf(JWKS)
      await standIn.pool.identity.keys.rotateSigning()
      clock.advance(24 * HOUR_MS)
      vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })

      const { IdToken } = await signIn(standIn.pool, ana)

      expect(await directory.verifyIdToken(IdToken)).toMatchObject({ userId: ana.sub })
      expect(countOf(JWKS)).toBeGreaterThan(before)
    })
  })

  describe('a user', () => {
    test('a user is found by username regardless of case, through the SDK with its default credentials', async () => {
      const ana = await aConfirmedUser(standIn.pool)

      expect(await directory.findUser(` ${ana.username.toUpperCase()} `)).toEqual({
        userId: ana.sub,
        username: ana.username,
        email: ana.email,
        isEnabled: true,
      })
    })

    test('a user is not found by e-mail or id, or before confirmation', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      const ben = aPerson()
      await signUp(standIn.pool, ben)

      const found = await Promise.all([ana.email, ana.sub, ben.username, 'unknown'].map(directory.findUser))

      expect(found).toEqual([undefined, undefined, undefined, undefined])
    })

    test('a user is found by verified e-mail regardless of case, but not by username or id', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      const ben = aPerson()
      await signUp(standIn.pool, ben)

      const found = await Promise.all(
        [ana.email.toUpperCase(), ana.username, ana.sub, ben.email].map(directory.findUserByEmail),
      )

      expect(found.map((user) => user?.userId)).toEqual([ana.sub, undefined, undefined, undefined])
    })

    test.each(['', '  ', '\u0000', 'x'.repeat(200), 'two\nlines'])(
      'the invalid username %j is not looked up',
      async (name) => {
        expect(await directory.findUser(name)).toBeUndefined()
        expect(countOf(LOOK_UP)).toBe(0)
      },
    )

    test('concurrent and repeated calls look a user up only once a minute', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      const look = async () => await directory.findUser(ana.username)

      await Promise.all([look(), look(), look()])
      clock.advance(59_000)
      await look()
      expect(countOf(LOOK_UP)).toBe(1)
      clock.advance(2_000)
      await look()

      expect(countOf(LOOK_UP)).toBe(2)
    })

    test('a user is found seconds after signing up, even after a lookup that found nothing', async () => {
      const ana = aPerson()
      expect(await directory.findUser(ana.username)).toBeUndefined()
      await aConfirmedUser(standIn.pool, ana)

      clock.advance(6_000)

      expect(await directory.findUser(ana.username)).toMatchObject({ username: ana.username })
    })

    test('a lookup fails during an outage, and the failure is not cached', async () => {
      const ana = await aConfirmedUser(standIn.pool)

      standIn.cut(LOOK_UP)
      await expect(directory.findUser(ana.username)).rejects.toThrow(DirectoryUnavailable)
      standIn.cut(undefined)

      expect(await directory.findUser(ana.username)).toMatchObject({ userId: ana.sub })
    })

    test('a lookup with a wrong secret key fails with DirectoryUnavailable', async () => {
      const ana = await aConfirmedUser(standIn.pool)
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another secret')

      await expect(open().findUser(ana.username)).rejects.toThrow(DirectoryUnavailable)
    })
  })
})

describe('the issuers of a pool', () => {
  const pool = { region: 'eu-west-1', userPoolId: 'eu-west-1_AbC123xyz', clientId: 'client' }
  const REGIONAL = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC123xyz'
  const GLOBAL = 'https://issuer-cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC123xyz'

  test('the issuer of an Amazon user pool has two forms, and the keys are published under the first', () => {
    const { issuers, jwksUrl } = addressesOf(pool)

    expect(issuers).toEqual([REGIONAL, GLOBAL])
    expect(jwksUrl.href).toBe(`${REGIONAL}/.well-known/jwks.json`)
  })

  test('the issuer of a user pool in China uses the Chinese domain', () => {
    expect(addressesOf({ ...pool, region: 'cn-north-1' }).issuers[0]).toContain(
      'cognito-idp.cn-north-1.amazonaws.com.cn/',
    )
  })

  test.each(['http://127.0.0.1:4100/identity', 'http://127.0.0.1:4100/identity/'])(
    'each issuer of a pool at the endpoint %s starts with that URL',
    (endpoint) => {
      expect(addressesOf({ ...pool, endpoint }).issuers).toEqual(['http://127.0.0.1:4100/identity/eu-west-1_AbC123xyz'])
    },
  )

  test.each([
    [REGIONAL, true],
    [GLOBAL, true],
    ['https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Another1', false],
    ['https://cognito-idp.us-east-1.amazonaws.com/eu-west-1_AbC123xyz', false],
    [`${REGIONAL}/`, false],
  ])('a token of the issuer %s is accepted: %s', async (issuer, isAccepted) => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const clock = testClock()
    const verify = createAmazonTokenVerifier({
      keys: async () => publicKey,
      issuers: addressesOf(pool).issuers,
      clientId: 'client',
      clock,
    })
    const now = clock.now().getTime() / 1000
    const token = await new SignJWT({ token_use: 'id', sub: 's', 'cognito:username': 'ana' })
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer(issuer)
      .setAudience('client')
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(privateKey)

    const outcome = await verify(token).then(
      () => true,
      (error: unknown) => !(error instanceof InvalidToken) && error,
    )

    expect(outcome).toBe(isAccepted)
  })
})

/** A token with valid claims, signed by the attacker's key under this key id. */
async function forged(standIn: StandIn, kid: string): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256')
  const { userPoolId, clientId, endpoint } = standIn.amazon
  return await new SignJWT({ token_use: 'id', sub: 's', 'cognito:username': 'eve' })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(`${endpoint?.replace(/\/$/u, '') ?? ''}/${userPoolId}`)
    .setAudience(clientId)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)
}

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
  return `${header}.${token.split('.')[1] ?? ''}.`
}
