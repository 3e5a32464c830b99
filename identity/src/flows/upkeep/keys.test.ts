import { randomBytes } from 'node:crypto'

import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signIn, signUp, trySignIn } from '../../testing/people.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const kidOf = (token: string) => String(decodeProtectedHeader(token).kid)

async function publishedKids({ app, identity }: RunningPool): Promise<string[]> {
  const reply = await app.inject(`/identity/${identity.pool.userPoolId}/.well-known/jwks.json`)
  return reply.json<{ keys: { kid: string }[] }>().keys.map((key) => key.kid)
}

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock })
  })
  afterAll(async () => {
    await pool.close()
  })

  test('a signing key is published an hour before its first use and stays published until its tokens expire', async () => {
    const zoe = await aConfirmedUser(pool)
    const before = kidOf((await signIn(pool, zoe)).IdToken)

    const { kids } = await pool.identity.keys.rotateSigning()

    expect(await publishedKids(pool)).toEqual(expect.arrayContaining([before, ...kids]))
    clock.advance(59 * MINUTE)
    const last = await signIn(pool, zoe)
    expect(kidOf(last.IdToken)).toBe(before)
    clock.advance(MINUTE)
    const first = await signIn(pool, zoe)
    expect(kids).toEqual([kidOf(first.IdToken), kidOf(first.AccessToken)])
    expect(await pool.identity.verifyIdToken(last.IdToken)).toMatchObject({ userId: zoe.sub })
    expect(await pool.call('GetUser', { AccessToken: last.AccessToken })).toMatchObject({ status: 200 })

    clock.advance(70 * MINUTE)
    const later = await aPool(useDatabase(), { clock, beside: pool })
    expect(await publishedKids(later)).toEqual(kids)
    const AuthParameters = { REFRESH_TOKEN: last.RefreshToken }
    expect(await later.call('InitiateAuth', { AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters })).toMatchObject({
      status: 200,
    })
    await later.close()
  })

  test('id and access tokens are signed with different keys', async () => {
    const { IdToken, AccessToken } = await signIn(pool, await aConfirmedUser(pool))

    expect(kidOf(IdToken)).not.toBe(kidOf(AccessToken))
  })

  test(
    'two processes that rotate keys concurrently create one set of keys and share it',
    { tags: ['race'] },
    async () => {
      const zoe = await aConfirmedUser(pool)
      const other = await aPool(useDatabase(), { clock, beside: pool })

      const [mine, theirs] = await Promise.all([
        pool.identity.keys.rotateSigning(),
        other.identity.keys.rotateSigning(),
      ])
      expect(mine).toEqual(theirs)
      expect(await pool.identity.keys.rotateSigning()).toEqual(mine)
      clock.advance(HOUR)

      expect(await other.identity.verifyIdToken((await signIn(pool, zoe)).IdToken)).toMatchObject({ userId: zoe.sub })
      await other.close()
    },
  )

  test('a process reloads the keys for a token with an unknown key', async () => {
    const zoe = await aConfirmedUser(pool)
    const other = await aPool(useDatabase(), { clock, beside: pool })
    clock.advance(HOUR)

    const { kids } = await other.identity.keys.rotateSigning()
    clock.advance(HOUR)
    const { IdToken } = await signIn(other, zoe)

    expect(kids).toContain(kidOf(IdToken))
    expect(await pool.identity.verifyIdToken(IdToken)).toMatchObject({ userId: zoe.sub })
    await other.close()
  })

  test('signing keys are rotated automatically after ninety days', async () => {
    const before = await publishedKids(pool)
    clock.advance(91 * DAY)

    const other = await aPool(useDatabase(), { clock, beside: pool })

    expect(await publishedKids(other)).toHaveLength(4)
    expect(await publishedKids(other)).toEqual(expect.arrayContaining(before.slice(0, 1)))
    await other.close()
  })

  // Evidence: asvs-11.2.2
  test('sessions and codes stay valid under a new master key, and the old key can be removed', async () => {
    const old = await aPool(useDatabase(), { clock, beside: pool })
    const zoe = await aConfirmedUser(old)
    const waiting = aPerson()
    await signUp(old, waiting)
    const ConfirmationCode = await old.readCode(waiting.email)
    const { RefreshToken } = await signIn(old, zoe)
    const saltOf = async (from: RunningPool) => {
      const AuthParameters = { USERNAME: 'unknown', SRP_A: 'abc' }
      const { body } = await from.call('InitiateAuth', { AuthFlow: 'USER_SRP_AUTH', AuthParameters })
      return (body['ChallengeParameters'] as { SALT: string }).SALT
    }
    const madeUpSalt = await saltOf(old)
    await old.close()

    const masterKey = randomBytes(32)
    const both = { previousMasterKeys: [pool.masterKey] }
    const during = await aPool(useDatabase(), { clock, masterKey, settings: both })
    await during.identity.keys.rotateEncryption()
    expect(await during.identity.keys.rotateEncryption()).toBe(0)
    await during.close()

    const after = await aPool(useDatabase(), { clock, masterKey })
    expect(await trySignIn(after, zoe.email, zoe.password)).toMatchObject({ status: 200 })
    expect(await saltOf(after)).toBe(madeUpSalt)
    const AuthParameters = { REFRESH_TOKEN: RefreshToken }
    expect(await after.call('InitiateAuth', { AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters })).toMatchObject({
      status: 200,
    })
    expect(await after.call('ConfirmSignUp', { Username: waiting.username, ConfirmationCode })).toMatchObject({
      status: 200,
    })
    await after.close()
    await expect(aPool(useDatabase(), { clock, masterKey: randomBytes(32) })).rejects.toThrow('master key')
  })
})
