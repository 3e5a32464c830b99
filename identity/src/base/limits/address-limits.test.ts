import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { recordingLimiter, sharedBy } from '@marquee/platform/testing/recording-limiter'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { OPERATION_NAMES } from '../../http/endpoint.ts'
import { aPool, POOL_TABLES, type RunningPool } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signIn } from '../../testing/people.ts'
import { ADDRESS_LIMITS, admitCall } from './address-limits.ts'

const REFUSAL = { __type: 'TooManyRequestsException', message: 'Too many requests' }

/** The number of accepted calls. */
async function passing(calls: number, call: (n: number) => Promise<void>): Promise<number> {
  let passed = 0
  for (let n = 0; n < calls; n += 1) {
    await call(n).then(
      () => (passed += 1),
      () => undefined,
    )
  }
  return passed
}

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  beforeAll(async () => {
    pool = await aPool(useDatabase(), { limiter: localRateLimiter() })
  })
  afterAll(async () => {
    await pool.close()
  })

  const from = async (address: string, operation: string, body: object) => {
    const reply = await pool.app.inject({
      method: 'POST',
      url: '/identity/',
      remoteAddress: address,
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
      payload: JSON.stringify({ ClientId: pool.identity.pool.userPoolClientId, ...body }),
    })
    return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
  }

  // Evidence: asvs-2.4.1
  test('an address that calls too often gets TooManyRequestsException, and other addresses do not', async () => {
    for (let n = 0; n < ADDRESS_LIMITS.any.max; n += 1) await from('203.0.113.7', 'NoSuchOperation', {})

    const refused = await from('203.0.113.7', 'GetUser', { AccessToken: 'x' })
    const other = await from('203.0.113.8', 'GetUser', { AccessToken: 'x' })

    expect(refused).toEqual({ status: 400, body: REFUSAL })
    expect(other.body['__type']).toBe('NotAuthorizedException')
  })

  test('an address over its mail limit can still call operations that send no mail', async () => {
    for (let n = 0; n < ADDRESS_LIMITS.mail.max; n += 1) {
      await from('203.0.113.17', 'ForgotPassword', { Username: `unknown-${n}` })
    }
    const person = aPerson()
    const attributes = [{ Name: 'email', Value: person.email }]
    const signUp = { Username: person.username, Password: person.password, UserAttributes: attributes }

    const refused = await from('203.0.113.17', 'SignUp', signUp)
    const other = await from('203.0.113.17', 'GetUser', { AccessToken: 'x' })
    const elsewhere = await from('203.0.113.18', 'SignUp', signUp)

    expect(refused).toEqual({ status: 400, body: REFUSAL })
    expect(other.body['__type']).toBe('NotAuthorizedException')
    expect(elsewhere.status).toBe(200)
  })

  test('a caller over the mail limit gets no sign-in code but can still sign in with a password', async () => {
    const zoe = await aConfirmedUser(pool)
    const address = '203.0.113.27'
    const begin = async (AuthParameters: object) =>
      await from(address, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    const ask = async (USERNAME: string, PREFERRED_CHALLENGE: string) => await begin({ USERNAME, PREFERRED_CHALLENGE })
    const chosen = await begin({ USERNAME: zoe.username })
    const choose = async (ANSWER: string) =>
      await from(address, 'RespondToAuthChallenge', {
        ChallengeName: 'SELECT_CHALLENGE',
        Session: chosen.body['Session'],
        ChallengeResponses: { USERNAME: zoe.username, ANSWER },
      })
    const replies = []
    for (let n = 0; n < 198; n += 1) replies.push(await ask(`unknown-${n}`, n % 2 === 0 ? 'EMAIL_OTP' : 'SMS_OTP'))
    replies.push(await ask(zoe.username, 'EMAIL_OTP'), await choose('EMAIL_OTP'))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(200)

    const refused = { status: 400, body: REFUSAL }
    expect(await ask(zoe.username, 'EMAIL_OTP')).toEqual(refused)
    expect(await ask('unknown', 'EMAIL_OTP')).toEqual(refused)
    expect(await ask('unknown', 'SMS_OTP')).toEqual(refused)
    expect(await choose('EMAIL_OTP')).toEqual(refused)
    expect(await from(address, 'ForgotPassword', { Username: zoe.username })).toEqual(refused)
    const AuthParameters = { USERNAME: zoe.username, PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: zoe.password }
    expect(await begin(AuthParameters)).toMatchObject({ status: 200, body: { AuthenticationResult: {} } })
  })

  test('unrelated callers share no limit except the mail budget', async () => {
    const limiter = recordingLimiter()
    const other = await aPool(useDatabase(), { beside: pool, limiter })
    const actAs = async (remoteAddress: string) => {
      const person = await aConfirmedUser(other)
      const tokens = await signIn(other, person)
      limiter.counted()
      const known = {
        Username: person.username,
        Password: person.password,
        ...tokens,
        UserAttributes: [{ Name: 'email', Value: aPerson().email }],
        AttributeName: 'email',
        ConfirmationCode: '000000',
        AuthFlow: 'USER_AUTH',
        AuthParameters: { USERNAME: person.username, PREFERRED_CHALLENGE: 'EMAIL_OTP' },
      }
      for (const operation of OPERATION_NAMES) {
        await other.app.inject({
          method: 'POST',
          url: '/identity/',
          remoteAddress,
          headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` },
          payload: JSON.stringify({
            ClientId: other.identity.pool.userPoolClientId,
            ...known,
            ...(operation === 'SignUp' && { Username: aPerson().username }),
          }),
        })
      }
      return limiter.counted()
    }

    const shared = sharedBy(await actAs('203.0.113.7'), await actAs('2001:db8:7::1'))

    expect([...shared]).toEqual([
      ['identity mail budget', 'A sender with many addresses could use the installation for mass mail'],
    ])
    await other.close()
  })
})

test('SignUp can be called 100 times an hour from one address and 400 times from one IPv6 site', async () => {
  const limiter = localRateLimiter()

  const ofOne = await passing(110, async () => {
    await admitCall(limiter, 'SignUp', '203.0.113.7')
  })
  const ofSite = await passing(500, async (n) => {
    await admitCall(limiter, 'SignUp', `2001:db8:7:${(n % 50).toString(16)}::1`)
  })

  expect([ofOne, ofSite]).toEqual([100, 400])
})
