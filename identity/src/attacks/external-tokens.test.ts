import { createHash } from 'node:crypto'

import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, PUBLIC_URL, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { aBrowser } from '../testing/external.ts'
import { aHostileProvider, type HostileProvider } from '../testing/hostile-provider.ts'
import { aPerson, type Reply, tokensOf } from '../testing/people.ts'
import { appCode, givePassword, mustSucceed, respond } from '../testing/second-factors.ts'

type Forge = NonNullable<Parameters<HostileProvider['signIn']>[1]>

const HOUR_SECONDS = 3600

/** Attacks by a hostile provider, or by an attacker on the network path to it. */
const FORGED: readonly (readonly [string, Forge])[] = [
  ['with the nonce of another sign-in', async (claims, sign) => await sign({ ...claims, nonce: 'another' })],
  ['without a nonce', async ({ nonce: _nonce, ...claims }, sign) => await sign(claims)],
  ['for another client', async (claims, sign) => await sign({ ...claims, aud: 'another' })],
  [
    'for several clients, made for another one',
    async (claims, sign) => await sign({ ...claims, aud: [claims['aud'], 'another'], azp: 'another' }),
  ],
  ['of another issuer', async (claims, sign) => await sign({ ...claims, iss: 'https://elsewhere.example' })],
  [
    'that has expired',
    async (claims, sign) => await sign({ ...claims, exp: Number(claims['iat']) - HOUR_SECONDS, iat: 1 }),
  ],
  ['with a subject that holds NUL', async (claims, sign) => await sign({ ...claims, sub: 'a\0b' })],
  ['with an empty subject', async (claims, sign) => await sign({ ...claims, sub: '' })],
  ['with a subject of 256 characters', async (claims, sign) => await sign({ ...claims, sub: 'x'.repeat(256) })],
  ['with a list as its subject', async (claims, sign) => await sign({ ...claims, sub: ['zoe'] })],
  ['with a number as its subject', async (claims, sign) => await sign({ ...claims, sub: 7 })],
  ['without a subject', async ({ sub: _sub, ...claims }, sign) => await sign(claims)],
  ['without a signature', async (claims) => await Promise.resolve(new UnsecuredJWT(claims).encode())],
  [
    'signed with a foreign key',
    async (claims, _sign, { strangers }) =>
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(strangers),
  ],
  [
    'signed by HS256 with the secret of the client',
    async (claims) =>
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
        .sign(Buffer.from('a-secret-of-thirty-two-characters')),
  ],
  [
    'with another subject than was signed',
    async (claims, sign) => {
      const [header, , signature] = (await sign(claims)).split('.')
      const body = Buffer.from(JSON.stringify({ ...claims, sub: 'zoe' })).toString('base64url')
      return `${header}.${body}.${signature}`
    },
  ],
  ['that is malformed', async () => await Promise.resolve('nonsense')],
]

anyDatabase(POOL_TABLES, (useDatabase) => {
  let provider: HostileProvider
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock(new Date().toISOString())
    provider = await aHostileProvider()
    pool = await aPool(useDatabase(), { clock, settings: { externalProvider: provider.settings } })
  })
  afterAll(async () => {
    await pool.close()
    await provider.stop()
  })

  const BACK = `${PUBLIC_URL}/auth/external`
  async function comeBack(
    forge?: Forge,
    {
      back,
      to = pool,
      from = provider,
    }: { back?: Record<string, string | undefined>; to?: RunningPool; from?: HostileProvider } = {},
  ) {
    const browser = aBrowser(to)
    const { location } = await browser.get('/oauth2/external/start')
    const ended = await browser.get(from.signIn(location, forge, back))
    return { browser, location, ended: ended.location }
  }

  // Evidence: asvs-10.5.3, oidc-client-16.15-a
  test('a provider whose metadata names another issuer is not used', async () => {
    const issuer = `${provider.settings.issuer}/other`
    const settings = { externalProvider: { ...provider.settings, issuer } }
    const misled = await aPool(useDatabase(), { beside: pool, settings })

    expect((await aBrowser(misled).get('/oauth2/external/start')).location).toBe(`${BACK}?error=unreachable`)
    await misled.close()
  })

  test('a valid answer from the provider about an unknown person starts a sign-up', async () => {
    const { browser, ended } = await comeBack()

    expect(ended).toBe(BACK)
    expect(await browser.call('POST', 'claim', { body: {} })).toMatchObject({ status: 200, body: { kind: 'new' } })
  })

  // Evidence: rfc9700-client-4.5.3.2-a, oidc-client-3.1.3.7-a, oidc-client-3.1.3.7-b, oidc-client-3.1.3.7-c, oidc-client-3.1.3.7-d, oidc-client-3.1.3.7-e, oidc-client-2-a, asvs-6.8.1, asvs-6.8.2, asvs-10.5.1, asvs-10.5.4
  test.each(FORGED)('an id token %s is rejected', async (_what, forge) => {
    const { browser, ended } = await comeBack(forge)

    expect(ended).toBe(`${BACK}?error=failed`)
    expect(await browser.call('POST', 'claim', { body: {} })).toMatchObject({ body: { error: 'flow_over' } })
  })

  // Evidence: rfc9700-client-2.1-a, rfc9700-client-4.4.2-a, oidc-client-3.1.2.7-a, asvs-10.1.2, asvs-10.2.2
  test.each([
    ['that names another provider', { iss: 'https://elsewhere.example' }],
    ['that names no provider although the metadata promises it', { iss: undefined }],
    ['with the state of another sign-in', { state: 'another' }],
    ['without a state', { state: undefined }],
    ['that reports an error', { code: undefined, error: 'access_denied' }],
  ])('an answer %s is rejected', async (_what, back) => {
    expect((await comeBack(undefined, { back })).ended).toBe(`${BACK}?error=failed`)
  })

  // Evidence: rfc9700-client-2.1.2-a, rfc9700-client-4.7.1-a, oidc-client-3.1.2.1-a
  test('each request to the provider asks for a code and has its own state and nonce', async () => {
    const [first, second] = [await comeBack(), await comeBack()].map(({ location }) => new URL(location).searchParams)

    expect(first?.get('response_type')).toBe('code')
    expect(first?.get('scope')).toBe('openid email profile')
    for (const name of ['state', 'nonce']) {
      expect(first?.get(name)).toMatch(/^[\w-]{22,}$/u)
      expect(second?.get(name)).not.toBe(first?.get(name))
    }
  })

  // Evidence: rfc9700-client-2.1.1-a, asvs-10.2.1
  test('the code is exchanged with the PKCE verifier that matches the challenge', async () => {
    const { location } = await comeBack()
    const challenge = new URL(location).searchParams
    const form = provider.asked.at(-1)

    expect(challenge.get('code_challenge_method')).toBe('S256')
    expect(challenge.get('redirect_uri')).toBe(`${PUBLIC_URL}/oauth2/external/callback`)
    expect(form?.get('redirect_uri')).toBe(`${PUBLIC_URL}/oauth2/external/callback`)
    const hash = createHash('sha256').update(form?.get('code_verifier') ?? '')
    expect(hash.digest('base64url')).toBe(challenge.get('code_challenge'))
  })

  // Evidence: oidc-client-5.1-a
  test('an e-mail address is used only if the provider has verified it', async () => {
    for (const email_verified of [false, undefined, 'true']) {
      const forge: Forge = async (claims, sign) => await sign({ ...claims, email: 'zoe@example.com', email_verified })
      const { browser } = await comeBack(forge)

      expect((await browser.call('POST', 'claim', { body: {} })).body).toMatchObject({ kind: 'new', email: '' })
      expect((await browser.call('POST', 'sign-up', { body: { name: 'Zoë' } })).body).toMatchObject({
        error: 'email_missing',
      })
    }
  })

  const secondsAgo = (seconds: number) => Math.floor(clock.now().getTime() / 1000) - seconds
  /** A user of the provider, who signs in through it. `authTime` is what the provider says. */
  async function aUserFromThere(to = pool, from = provider) {
    const { username, email } = aPerson()
    const enter = async (authTime: unknown) => {
      const forge: Forge = async (claims, sign) =>
        await sign({ ...claims, sub: username, email, email_verified: true, auth_time: authTime })
      const { browser } = await comeBack(forge, { to, from })
      const { body: claim } = await browser.call('POST', 'claim', { body: {} })
      if (claim['kind'] === 'known') return await givePassword(to, username, String(claim['ticket']))
      const { body: made } = await browser.call('POST', 'sign-up', { body: { name: username } })
      return await givePassword(to, username, String(made['ticket']))
    }
    return { username, enter }
  }

  /** When the user has signed in, as the tokens say, and whether changes of the account are allowed. */
  async function ageOf(reply: Reply) {
    const { sub = '', origin_jti: session, auth_time: authTime } = decodeJwt(tokensOf(reply).AccessToken)
    return { authTime, isFresh: await pool.identity.account.isFresh(sub, String(session)) }
  }

  // Evidence: asvs-6.8.4, asvs-7.5.1
  test('a session is as old as the sign-in that the provider reports, even after a second factor here', async () => {
    const { username, enter } = await aUserFromThere()
    const recent = secondsAgo(60)
    // The clock of the provider may be 30 seconds behind.
    const first = await enter(recent)
    expect(await ageOf(first)).toEqual({ authTime: recent + 30, isFresh: true })

    const old = secondsAgo(20 * 60)
    expect(await ageOf(await enter(old))).toEqual({ authTime: old + 30, isFresh: false })
    expect(await ageOf(await enter(1))).toEqual({ authTime: secondsAgo(999_999), isFresh: false })
    expect(await ageOf(await enter(secondsAgo(-HOUR_SECONDS)))).toEqual({ authTime: secondsAgo(0), isFresh: true })

    const { AccessToken } = tokensOf(first)
    const { body } = await pool.call('AssociateSoftwareToken', { AccessToken })
    const secret = String(body['SecretCode'])
    await mustSucceed(pool, 'VerifySoftwareToken', { AccessToken, UserCode: appCode(secret, clock.now()) })
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } })
    clock.advance(30_000)
    const asked = await enter(old)
    expect(asked.body).toMatchObject({ ChallengeName: 'SOFTWARE_TOKEN_MFA' })
    const answered = await respond(pool, asked, { SOFTWARE_TOKEN_MFA_CODE: appCode(secret, clock.now()) }, username)
    expect(await ageOf(answered)).toEqual({ authTime: old + 30, isFresh: false })
  })

  // Evidence: asvs-6.8.4
  test('a sign-in without a reported time is fresh only if the provider has never reported one', async () => {
    const there = await aHostileProvider()
    const settings = { externalProvider: there.settings }
    const here = await aPool(useDatabase(), { beside: pool, clock, settings })
    const { enter } = await aUserFromThere(here, there)

    expect(await ageOf(await enter(undefined))).toEqual({ authTime: secondsAgo(0), isFresh: true })
    expect(await ageOf(await enter(secondsAgo(60)))).toMatchObject({ isFresh: true })
    // From now on it can be asked, and a browser that leaves the question out gains nothing.
    expect(await ageOf(await enter(undefined))).toEqual({ authTime: secondsAgo(999_999), isFresh: false })
    await here.close()
    await there.stop()
  })

  test('the list of sessions shows when each began here, newest first', async () => {
    const { enter } = await aUserFromThere()
    const first = await enter(secondsAgo(60))
    const began = clock.now().toISOString()
    clock.advance(1_000)
    await enter(secondsAgo(3 * HOUR_SECONDS))

    const { sub = '' } = decodeJwt(tokensOf(first).AccessToken)
    const sessions = await pool.identity.account.listSessions(sub)
    expect(sessions.map(({ signedInAt }) => signedInAt)).toEqual([clock.now().toISOString(), began])
  })

  // Evidence: asvs-6.8.4
  test('the redirect asks the provider when the user signed in, and again=true asks for a new sign-in', async () => {
    const askedWith = async (query: string) => {
      const { location } = await aBrowser(pool).get(`/oauth2/external/start${query}`)
      const { searchParams } = new URL(location)
      return [searchParams.get('max_age'), searchParams.get('prompt')]
    }

    expect(await askedWith('')).toEqual(['864000', null])
    expect(await askedWith('?again=true')).toEqual(['864000', 'login'])
    expect(await askedWith('?again=yes')).toEqual(['864000', null])
  })
})
