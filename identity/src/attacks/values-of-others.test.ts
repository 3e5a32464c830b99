import { afterAll, beforeAll, expect, test } from 'vitest'

import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { InvalidToken } from '../index.ts'
import { newPoolIds } from '../compose.ts'
import { blockHash, DEVICE_BLOCK } from '../sign-in/answer-device.ts'
import { aPool, POOL_TABLES, PUBLIC_URL, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { anotherInstallation, type Installation } from '../testing/another-installation.ts'
import { beginOnDevice, confirmDevice, type DeviceTokens } from '../testing/devices.ts'
import { aBrowser, aProvider, type Browser, comeBack, goAndSignIn, type RunningProvider } from '../testing/external.ts'
import { beginJourney, callAsScreen, follow, openIdClient, requestOf, TOOLS, WIKI } from '../testing/other-tools.ts'
import { aConfirmedUser, aPerson, finishSignIn, signIn, signUp } from '../testing/people.ts'
import { type Challenge, srpClient, srpClientOf } from '../testing/srp-client.ts'
import { ownerOf, type Reseal, resealFor } from '../testing/resealed.ts'
import { appCode, aUserWithApp, givePassword, mustSucceed, respond } from '../testing/second-factors.ts'

const STEP_MS = 30_000
const REFUSED = { status: 400, body: { __type: 'NotAuthorizedException' } }

/**
 * Sealed values of another pool or client are rejected, even when they are sealed with the same master key. Each value
 * below is valid except for its owner.
 */
anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let strict: RunningPool
  let clock: TestClock
  let provider: RunningProvider
  let elsewhere: Installation
  beforeAll(async () => {
    clock = testClock(new Date().toISOString())
    provider = await aProvider()
    const settings = {
      deviceTracking: 'on',
      oauthClients: TOOLS,
      externalProvider: provider.settings,
      identityPool: { allowsGuests: true },
    } as const
    pool = await aPool(useDatabase(), { clock, settings })
    strict = await aPool(useDatabase(), { clock, beside: pool, settings: { ...settings, mfa: 'required' } })
    elsewhere = await anotherInstallation({ clock, masterKey: pool.masterKey, settings })
  })
  afterAll(async () => {
    await strict.close()
    await pool.close()
    await elsewhere.stop()
    await provider.stop()
  })

  const others = () => {
    const mine = ownerOf(pool)
    const made = newPoolIds(systemRandom)
    return [
      { ...mine, poolId: made.userPoolId },
      { ...mine, clientId: made.clientId },
      { poolId: mine.clientId, clientId: mine.poolId },
      { poolId: `${mine.poolId}|${mine.clientId}`, clientId: '' },
    ]
  }
  const isAccepted = ({ status }: { status: number }) => status === 200
  const browserWith = (cookie: string): Browser => Object.assign(aBrowser(pool), { cookie })
  const withResealedCookie = (reseal: Reseal, { cookie }: Browser) => {
    const [name, value] = cookie.split('=')
    return browserWith(`${name}=${reseal('external', value)}`)
  }

  /** Uses one value of each kind, sealed again with `reseal`, and returns whether it was accepted. */
  const uses: Record<string, (reseal: Reseal) => Promise<boolean>> = {
    'the SECRET_BLOCK of a password': async (reseal) => {
      const zoe = await aConfirmedUser(pool)
      const client = srpClient(pool.identity.pool.userPoolId)
      const AuthParameters = { USERNAME: zoe.email, SRP_A: client.A }
      const { body } = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_SRP_AUTH', AuthParameters })
      const asked = body['ChallengeParameters'] as Challenge
      const SECRET_BLOCK = reseal('secret-block', asked.SECRET_BLOCK, 'base64')
      return isAccepted(await finishSignIn(pool, client.answer({ ...asked, SECRET_BLOCK }, zoe.password)))
    },
    'the SECRET_BLOCK of a device': async (reseal) => {
      const zoe = await aConfirmedUser(pool)
      const device = await confirmDevice(pool, (await signIn(pool, zoe)) as DeviceTokens)
      const begun = await beginOnDevice(pool, zoe, device.key)
      const client = srpClientOf(device.groupKey)
      const DEVICE_KEY = device.key
      const reply = await respond(pool, begun, { DEVICE_KEY, SRP_A: client.A }, zoe.sub)
      const asked = reply.body['ChallengeParameters'] as Challenge
      const SECRET_BLOCK = reseal('device-block', asked.SECRET_BLOCK, 'base64')
      const answer = client.answer({ ...asked, SECRET_BLOCK, USER_ID_FOR_SRP: DEVICE_KEY }, device.secret)
      // The session contains the hash of its block. It gets the hash of this one, so that only the block can fail.
      const data = { [DEVICE_BLOCK]: blockHash(SECRET_BLOCK) }
      reply.body['Session'] = resealFor(pool, ownerOf(pool))(
        'session',
        reply.body['Session'],
        'base64url',
        (session) => ({ ...session, data }),
      )
      return isAccepted(await respond(pool, reply, { ...answer, DEVICE_KEY, USERNAME: zoe.sub }, zoe.sub))
    },
    'the Session at a second factor': async (reseal) => {
      const zoe = await aUserWithApp(pool, () => clock.now())
      clock.advance(STEP_MS)
      const asked = await givePassword(pool, zoe.email, zoe.password)
      const moved = { ...asked, body: { ...asked.body, Session: reseal('session', asked.body['Session']) } }
      const code = { SOFTWARE_TOKEN_MFA_CODE: appCode(zoe.secret, clock.now()) }
      return isAccepted(await respond(pool, moved, code, zoe.email))
    },
    'the Session at a choice': async (reseal) => {
      const zoe = await aConfirmedUser(pool)
      const AuthParameters = { USERNAME: zoe.email }
      const asked = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
      const moved = { ...asked, body: { ...asked.body, Session: reseal('session', asked.body['Session']) } }
      return isAccepted(await respond(pool, moved, { ANSWER: 'PASSWORD', PASSWORD: zoe.password }, zoe.email))
    },
    'the Session at the set-up of a second factor': async (reseal) => {
      const zoe = await aConfirmedUser(strict)
      const { body } = await givePassword(strict, zoe.email, zoe.password)
      return isAccepted(await strict.call('AssociateSoftwareToken', { Session: reseal('session', body['Session']) }))
    },
    'the Session of a confirmed sign-up': async (reseal) => {
      const zoe = aPerson()
      await signUp(pool, zoe)
      const ConfirmationCode = await pool.readCode(zoe.email)
      const { body } = await mustSucceed(pool, 'ConfirmSignUp', { Username: zoe.username, ConfirmationCode })
      const AuthParameters = { USERNAME: zoe.email }
      const Session = reseal('sign-up', body['Session'])
      return isAccepted(await pool.call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters, Session }))
    },
    'the authorization request of a tool': async (reseal) => {
      const { IdToken } = await signIn(pool, await aConfirmedUser(pool))
      const { url } = await beginJourney(await openIdClient(pool, WIKI), 'https://wiki.example/callback')
      const request = reseal('authorization', await requestOf(pool, url))
      return isAccepted(await callAsScreen(pool, 'answer', IdToken, { request, isAllowed: true }))
    },
    'the address after log-out': async (reseal) => {
      const query = new URLSearchParams({ client_id: WIKI.id, logout_uri: 'https://wiki.example/bye' })
      const screen = await follow(pool, `${PUBLIC_URL}/logout?${query.toString()}`)
      const next = reseal('logout', screen.searchParams.get('next'))
      return (await follow(pool, `${PUBLIC_URL}/oauth2/logged-out?next=${next}`)).host === 'wiki.example'
    },
    'the cookie of a browser at the provider': async (reseal) => {
      const browser = aBrowser(pool)
      const answer = await goAndSignIn(browser, provider, await provider.person())
      return (await withResealedCookie(reseal, browser).get(answer)).location === `${PUBLIC_URL}/auth/external`
    },
    'the cookie of a browser that is back from the provider': async (reseal) => {
      const browser = aBrowser(pool)
      await comeBack(browser, provider, await provider.person())
      return isAccepted(await withResealedCookie(reseal, browser).call('POST', 'claim', { body: {} }))
    },
    'the ticket after a sign-in at the provider': async (reseal) => {
      const browser = aBrowser(pool)
      await comeBack(browser, provider, await provider.person())
      const { body } = await browser.call('POST', 'sign-up', { body: { name: aPerson().username } })
      return isAccepted(await givePassword(pool, String(body['username']), reseal('external-ticket', body['ticket'])))
    },
  }

  test.each(Object.entries(uses))(
    '%s is rejected when it was sealed for another pool or client',
    async (_what, use) => {
      for (const owner of others()) expect(await use(resealFor(pool, owner))).toBe(false)
      expect(await use(resealFor(pool, ownerOf(pool)))).toBe(true)
    },
  )

  // Evidence: asvs-8.4.1
  test('tokens of another installation with the same master key and user are rejected', async () => {
    const zoe = await aConfirmedUser(pool)
    const there = await aConfirmedUser(elsewhere.pool, zoe)
    const foreign = await signIn(elsewhere.pool, there)

    await expect(pool.identity.verifyIdToken(foreign.IdToken)).rejects.toThrow(InvalidToken)
    expect(await pool.call('GetUser', { AccessToken: foreign.AccessToken })).toMatchObject(REFUSED)
    const { RefreshToken } = foreign
    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject(REFUSED)
    const refresh = { AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: RefreshToken } }
    expect(await pool.call('InitiateAuth', refresh)).toMatchObject(REFUSED)
    // Revoking an unknown token succeeds. The token stays valid where it was issued.
    expect(await pool.call('RevokeToken', { Token: RefreshToken })).toMatchObject({ status: 200 })
    expect(await elsewhere.pool.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 200 })
  })

  test('identity and pool ids of another installation with the same master key are rejected', async () => {
    const ask = async ({ app }: RunningPool, operation: string, body: object) => {
      const headers = { 'x-amz-target': `AWSCognitoIdentityService.${operation}` }
      const reply = await app.inject({ method: 'POST', url: '/identity/', headers, payload: JSON.stringify(body) })
      return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() }
    }
    const { identityPoolId: IdentityPoolId } = elsewhere.pool.identity.pool
    const { body } = await ask(elsewhere.pool, 'GetId', { IdentityPoolId })
    const { IdentityId } = body

    expect(await ask(elsewhere.pool, 'GetCredentialsForIdentity', { IdentityId })).toMatchObject({ status: 200 })
    expect(await ask(pool, 'GetCredentialsForIdentity', { IdentityId })).toMatchObject({ status: 400 })
    expect(await ask(pool, 'GetId', { IdentityPoolId })).toMatchObject({ status: 400 })
  })
})
