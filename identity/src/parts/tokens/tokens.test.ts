import { createHmac } from 'node:crypto'

import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { localEventBus } from '@marquee/platform/events/bus'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { InvalidToken } from '../../index.ts'
import { aPool, POOL_TABLES, PUBLIC_URL, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, type Reply, signIn, tokensOf } from '../../testing/people.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

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

  const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
  const REVOKED = refusal('NotAuthorizedException', 'Refresh Token has been revoked')
  const rotate = async (RefreshToken: string, by = pool): Promise<Reply> =>
    await by.call('GetTokensFromRefreshToken', { RefreshToken })
  const refreshOldWay = async (token: string, AuthFlow = 'REFRESH_TOKEN_AUTH') =>
    await pool.call('InitiateAuth', { AuthFlow, AuthParameters: { REFRESH_TOKEN: token, DEVICE_KEY: null } })

  test('id and access tokens have the claims of Cognito and share an origin_jti', async () => {
    const zoe = await aConfirmedUser(pool)

    const { AccessToken, IdToken } = await signIn(pool, zoe)

    const { userPoolId, userPoolClientId } = pool.identity.pool
    const now = Math.floor(clock.now().getTime() / 1000)
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/u) as string
    const shared = {
      sub: zoe.sub,
      iss: `${PUBLIC_URL}/identity/${userPoolId}`,
      origin_jti: uuid,
      event_id: uuid,
      jti: uuid,
      auth_time: now,
      iat: now,
      exp: now + 3600,
    }
    expect(decodeJwt(AccessToken)).toEqual({
      ...shared,
      token_use: 'access',
      client_id: userPoolClientId,
      scope: 'aws.cognito.signin.user.admin',
      username: zoe.username,
    })
    expect(decodeJwt(IdToken)).toEqual({
      ...shared,
      token_use: 'id',
      aud: userPoolClientId,
      'cognito:username': zoe.username,
      email: zoe.email,
      email_verified: true,
    })
    expect(decodeJwt(AccessToken)['origin_jti']).toBe(decodeJwt(IdToken)['origin_jti'])
    expect(decodeJwt(AccessToken).jti).not.toBe(decodeJwt(IdToken).jti)
    expect(decodeProtectedHeader(IdToken).kid).not.toBe(decodeProtectedHeader(AccessToken).kid)
  })

  // Evidence: oidc-10.1-a
  test('a token verifies with the published keys that the discovery document names', async () => {
    const zoe = await aConfirmedUser(pool)
    const { IdToken, AccessToken } = await signIn(pool, zoe)
    const { userPoolId, userPoolClientId } = pool.identity.pool
    const issuer = `${PUBLIC_URL}/identity/${userPoolId}`

    const discovery = await pool.app.inject(`/identity/${userPoolId}/.well-known/openid-configuration`)
    expect(discovery.json()).toMatchObject({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json` })
    await pool.app.listen({ host: '127.0.0.1', port: 0 })
    const address = pool.app.listeningOrigin
    const keys = createRemoteJWKSet(new URL(`${address}/identity/${userPoolId}/.well-known/jwks.json`))
    const options = { issuer, currentDate: clock.now() }

    expect((await jwtVerify(IdToken, keys, { ...options, audience: userPoolClientId })).payload.sub).toBe(zoe.sub)
    expect((await jwtVerify(AccessToken, keys, options)).payload.sub).toBe(zoe.sub)
  })

  // Evidence: asvs-9.2.1
  test('an id token identifies its user until it expires', async () => {
    const zoe = await aConfirmedUser(pool)
    const { IdToken } = await signIn(pool, zoe)

    expect(await pool.identity.verifyIdToken(IdToken)).toEqual({
      userId: zoe.sub,
      username: zoe.username,
      email: zoe.email,
      originJti: decodeJwt(IdToken)['origin_jti'],
      expiresAt: decodeJwt(IdToken).exp,
    })
    clock.advance(60 * MINUTE)
    await expect(pool.identity.verifyIdToken(IdToken)).rejects.toThrow(InvalidToken)
  })

  test('other tokens, forgeries and nonsense are not accepted as an id token', async () => {
    const zoe = await aConfirmedUser(pool)
    const { IdToken, AccessToken, RefreshToken } = await signIn(pool, zoe)
    const [header = '', payload = '', signature = ''] = IdToken.split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${encode({ ...decodeProtectedHeader(IdToken), alg: 'none' })}.${payload}.`
    const jwks = await pool.app.inject(`/identity/${pool.identity.pool.userPoolId}/.well-known/jwks.json`)
    const symmetric = `${encode({ ...decodeProtectedHeader(IdToken), alg: 'HS256' })}.${payload}`
    const confused = `${symmetric}.${createHmac('sha256', jwks.body).update(symmetric).digest('base64url')}`
    const promoted = `${header}.${encode({ ...decodeJwt(IdToken), 'cognito:username': 'admin' })}.${signature}`

    for (const forged of ['', 'x', AccessToken, RefreshToken, unsigned, confused, promoted, 'x'.repeat(9000)]) {
      await expect(pool.identity.verifyIdToken(forged)).rejects.toThrow(InvalidToken)
    }
  })

  test('an id token is not accepted as an access token', async () => {
    const { IdToken } = await signIn(pool, await aConfirmedUser(pool))

    expect(await pool.call('GetUser', { AccessToken: IdToken })).toEqual(
      refusal('NotAuthorizedException', 'Invalid Access Token'),
    )
  })

  // Evidence: asvs-9.2.1
  test('an access token identifies its user until it expires', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)

    expect(await pool.call('GetUser', { AccessToken })).toEqual({
      status: 200,
      body: {
        Username: zoe.username,
        UserAttributes: [
          { Name: 'sub', Value: zoe.sub },
          { Name: 'email', Value: zoe.email },
          { Name: 'email_verified', Value: 'true' },
        ],
      },
    })
    clock.advance(60 * MINUTE)
    expect(await pool.call('GetUser', { AccessToken })).toEqual(
      refusal('NotAuthorizedException', 'Access Token has expired'),
    )
  })

  test.each(['REFRESH_TOKEN_AUTH', 'REFRESH_TOKEN'])(
    '%s gives new tokens of the same session and keeps the refresh token',
    async (flow) => {
      const first = await signIn(pool, await aConfirmedUser(pool))
      clock.advance(10 * MINUTE)

      const reply = await refreshOldWay(first.RefreshToken, flow)

      const second = tokensOf(reply)
      expect(Object.keys(second).toSorted()).toEqual(['AccessToken', 'ExpiresIn', 'IdToken', 'TokenType'])
      const [before, after] = [decodeJwt(first.AccessToken), decodeJwt(second.AccessToken)]
      expect(after).toMatchObject({ origin_jti: before['origin_jti'], auth_time: before['auth_time'] })
      expect(after.iat).toBe((before.iat ?? 0) + 600)
      expect(await refreshOldWay(first.RefreshToken, flow)).toMatchObject({ status: 200 })
    },
  )

  // Evidence: asvs-7.3.2, asvs-10.4.8
  test('a rotated refresh token expires when the original one would have', async () => {
    const first = await signIn(pool, await aConfirmedUser(pool))
    clock.advance(29 * DAY)

    const second = tokensOf(await rotate(first.RefreshToken))

    expect(second.RefreshToken).toMatch(/^[\w-]{107}$/u)
    expect(second.RefreshToken).not.toBe(first.RefreshToken)
    clock.advance(DAY)
    expect(await rotate(second.RefreshToken)).toEqual(refusal('NotAuthorizedException', 'Refresh Token has expired'))
  })

  test(
    'two tabs that refresh concurrently, even at two processes, both stay signed in',
    { tags: ['race'] },
    async () => {
      const other = await aPool(useDatabase(), { clock, beside: pool })
      const { RefreshToken } = await signIn(pool, await aConfirmedUser(pool))

      const replies = await Promise.all([rotate(RefreshToken), rotate(RefreshToken, other), rotate(RefreshToken)])
      clock.advance(59_000)
      const late = await rotate(RefreshToken)
      clock.advance(10 * MINUTE)

      for (const reply of [...replies, late]) {
        expect(await refreshOldWay(tokensOf(reply).RefreshToken)).toMatchObject({ status: 200 })
      }
      await other.close()
    },
  )

  test('a slow tab whose token was replaced twice gets the newest token', async () => {
    const first = await signIn(pool, await aConfirmedUser(pool))
    const second = tokensOf(await rotate(first.RefreshToken))
    const third = tokensOf(await rotate(second.RefreshToken))

    expect(tokensOf(await rotate(first.RefreshToken)).RefreshToken).toBe(third.RefreshToken)
  })

  // Evidence: asvs-10.4.5
  test('a replaced refresh token that is used after a minute counts as stolen and ends the session', async () => {
    const first = await signIn(pool, await aConfirmedUser(pool))
    const second = tokensOf(await rotate(first.RefreshToken))
    clock.advance(MINUTE + 1)

    expect(await rotate(first.RefreshToken)).toEqual(
      refusal('RefreshTokenReuseException', 'Refresh token reuse detected'),
    )

    expect(await rotate(second.RefreshToken)).toEqual(REVOKED)
    await expect(pool.identity.verifyIdToken(second.IdToken)).rejects.toThrow('revoked')
  })

  test.each(['nonsense', 'A'.repeat(107), 'a.b.c'])('the refresh token %s is rejected', async (token) => {
    expect(await rotate(token)).toEqual(refusal('NotAuthorizedException', 'Invalid Refresh Token'))
    expect(await refreshOldWay(token)).toEqual(refusal('NotAuthorizedException', 'Invalid Refresh Token'))
  })

  // Evidence: asvs-7.2.1, asvs-7.4.1
  test('a sign-out ends only its own session, at once and also for the product API', async () => {
    const zoe = await aConfirmedUser(pool)
    const here = await signIn(pool, zoe)
    const elsewhere = await signIn(pool, zoe)
    await pool.identity.verifyIdToken(here.IdToken)

    expect(await pool.call('RevokeToken', { Token: here.RefreshToken })).toEqual({ status: 200, body: {} })

    await expect(pool.identity.verifyIdToken(here.IdToken)).rejects.toThrow('revoked')
    expect(await pool.call('GetUser', { AccessToken: here.AccessToken })).toEqual(
      refusal('NotAuthorizedException', 'Access Token has been revoked'),
    )
    expect(await rotate(here.RefreshToken)).toEqual(REVOKED)
    expect(await pool.identity.verifyIdToken(elsewhere.IdToken)).toMatchObject({ userId: zoe.sub })
  })

  // Evidence: asvs-7.4.1
  test('a sign-out in one process ends only that session in another process on the same bus, at once', async () => {
    const bus = localEventBus()
    const one = await aPool(useDatabase(), { clock, beside: pool, settings: { bus } })
    const two = await aPool(useDatabase(), { clock, beside: pool, settings: { bus } })
    const zoe = await aConfirmedUser(one)
    const [ended, going] = [await signIn(one, zoe), await signIn(one, zoe)]
    await two.identity.verifyIdToken(ended.IdToken)
    await two.identity.verifyIdToken(going.IdToken)

    await one.call('RevokeToken', { Token: ended.RefreshToken })

    await expect(two.identity.verifyIdToken(ended.IdToken)).rejects.toThrow('revoked')
    expect(await two.identity.verifyIdToken(going.IdToken)).toMatchObject({ userId: zoe.sub })
    await two.close()
    await one.close()
  })

  test('a process without the bus notices a sign-out in another process within half a second', async () => {
    const other = await aPool(useDatabase(), { clock, beside: pool })
    const { IdToken, RefreshToken } = await signIn(pool, await aConfirmedUser(pool))
    await other.identity.verifyIdToken(IdToken)

    await pool.call('RevokeToken', { Token: RefreshToken })
    clock.advance(500)

    await expect(other.identity.verifyIdToken(IdToken)).rejects.toThrow('revoked')
    await other.close()
  })

  test('a rotated-out refresh token can still revoke its session', async () => {
    const first = await signIn(pool, await aConfirmedUser(pool))
    const second = tokensOf(await rotate(first.RefreshToken))

    await pool.call('RevokeToken', { Token: first.RefreshToken })

    expect(await rotate(second.RefreshToken)).toEqual(REVOKED)
  })

  test('revoking an unknown or revoked token succeeds without effect, and revoking an access token fails', async () => {
    const { RefreshToken, AccessToken } = await signIn(pool, await aConfirmedUser(pool))
    const revoke = async (Token: string) => await pool.call('RevokeToken', { Token })

    expect(await revoke('unknown')).toEqual({ status: 200, body: {} })
    expect(await revoke(RefreshToken)).toEqual({ status: 200, body: {} })
    expect(await revoke(RefreshToken)).toEqual({ status: 200, body: {} })
    expect(await revoke(AccessToken)).toEqual(refusal('UnsupportedTokenTypeException', 'Unsupported token type'))
  })

  test('a global sign-out ends every session of the user', async () => {
    const zoe = await aConfirmedUser(pool)
    const sessions = [await signIn(pool, zoe), await signIn(pool, zoe)]

    const reply = await pool.call('GlobalSignOut', { AccessToken: sessions[0]?.AccessToken })

    expect(reply).toEqual({ status: 200, body: {} })
    for (const { IdToken, RefreshToken } of sessions) {
      await expect(pool.identity.verifyIdToken(IdToken)).rejects.toThrow('revoked')
      expect(await rotate(RefreshToken)).toEqual(REVOKED)
    }
  })
})
