import { createHash } from 'node:crypto'

import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { NO_CALLER } from '@marquee/platform/http/caller'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, PUBLIC_URL, type RunningPool } from '../../testing/a-pool.ts'
import {
  allow,
  beginJourney,
  callAsScreen,
  follow,
  openIdClient,
  PHONE_APP,
  requestOf,
  TOOLS,
  WIKI,
} from '../../testing/other-tools.ts'
import { aConfirmedUser, type Person, signIn, type Tokens } from '../../testing/people.ts'

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let zoe: Person & { sub: string }
  let tokens: Tokens
  beforeAll(async () => {
    pool = await aPool(useDatabase(), { settings: { oauthClients: TOOLS } })
    zoe = await aConfirmedUser(pool)
    tokens = await signIn(pool, zoe)
  })
  afterAll(async () => {
    await pool.close()
  })

  async function signInTo(config: client.Configuration, redirectUri: string, more: Record<string, string> = {}) {
    const journey = await beginJourney(config, redirectUri, more)
    const back = await allow(pool, tokens.IdToken, journey.url)
    return await client.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: journey.verifier,
      expectedState: journey.state,
      expectedNonce: journey.nonce,
      idTokenExpected: true,
    })
  }

  // Evidence: rfc9700-2.2.2-a, rfc9700-4.4.2.1-a, oidc-2-a, oidc-2-b, oidc-2-c, oidc-2-d, oidc-5.3.2-a, oidc-5.3.3-a, oidc-12.2-a
  test.each([
    ['its secret in the form', WIKI, client.ClientSecretPost(WIKI.secret)],
    ['its secret in the header', WIKI, client.ClientSecretBasic(WIKI.secret)],
    ['no secret', PHONE_APP, client.None()],
  ])('an unmodified OpenID Connect client with %s signs a user in', async (_how, tool, authentication) => {
    const config = await openIdClient(pool, tool, authentication)
    const got = await signInTo(config, tool.redirectUris[0] ?? '')

    expect(got.claims()).toMatchObject({
      sub: zoe.sub,
      aud: tool.id,
      email: zoe.email,
      email_verified: true,
      preferred_username: zoe.username,
      'cognito:username': zoe.username,
      auth_time: decodeJwt(tokens.IdToken)['auth_time'],
    })
    const info = await client.fetchUserInfo(config, got.access_token, zoe.sub)
    expect(info).toMatchObject({ sub: zoe.sub, username: zoe.username, email: zoe.email })

    const renewed = await client.refreshTokenGrant(config, got.refresh_token ?? '')
    expect(renewed.claims()).toMatchObject({ sub: zoe.sub, aud: tool.id })
    expect(renewed.refresh_token).not.toBe(got.refresh_token)

    await client.tokenRevocation(config, renewed.refresh_token ?? '')
    await expect(client.fetchUserInfo(config, renewed.access_token, zoe.sub)).rejects.toMatchObject({ status: 401 })
    await expect(client.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  // Evidence: rfc9700-4.1.3-b
  test.each(['http://127.0.0.1:50123/back', 'http://127.0.0.1/back'])(
    'a native app that registered http://127.0.0.1:4711/back gets its code at %s',
    async (redirectUri) => {
      const got = await signInTo(await openIdClient(pool, PHONE_APP), redirectUri)

      expect(got.claims()).toMatchObject({ sub: zoe.sub, aud: 'phone-app' })
    },
  )

  // Evidence: oidc-3.1.3.6-a
  test('the at_hash of an id token is the first half of the hash of its access token', async () => {
    const got = await signInTo(await openIdClient(pool, WIKI), WIKI.redirectUris[0] ?? '')
    const hash = createHash('sha256').update(got.access_token).digest()

    expect(got.claims()?.['at_hash']).toBe(hash.subarray(0, 16).toString('base64url'))
  })

  // Evidence: oidc-3.1.2.5-a
  test('the query of a redirect_uri is kept', async () => {
    const config = await openIdClient(pool, WIKI)
    const { url } = await beginJourney(config, WIKI.redirectUris[1] ?? '')

    expect((await allow(pool, tokens.IdToken, url)).href).toMatch(
      /^https:\/\/wiki\.example\/callback\?from=marquee&code=/u,
    )
  })

  // Evidence: oidc-5.4-a, asvs-10.3.2, asvs-10.4.11
  test('a tool gets only the claims of its scopes', async () => {
    const config = await openIdClient(pool, WIKI)
    const got = await signInTo(config, WIKI.redirectUris[0] ?? '', { scope: 'openid' })

    expect(got.scope).toBe('openid')
    expect(got.claims()).not.toHaveProperty('email')
    expect(got.claims()).not.toHaveProperty('preferred_username')
    const userInfo = await client.fetchUserInfo(config, got.access_token, zoe.sub)
    expect(userInfo).not.toHaveProperty('email')
    for (const all of [userInfo, got.claims(), decodeJwt(got.access_token)]) {
      expect(JSON.stringify(all)).not.toContain(zoe.username)
    }
    const named = await signInTo(config, WIKI.redirectUris[0] ?? '', { scope: 'openid profile' })
    expect(decodeJwt(named.access_token)).toMatchObject({ username: zoe.username })
    expect(named.claims()).toMatchObject({ 'cognito:username': zoe.username, preferred_username: zoe.username })
  })

  // Evidence: oidc-15.1-a
  test('hints about the screen, the language and the strength of a sign-in are ignored', async () => {
    const hints = { display: 'popup', ui_locales: 'de fr', claims_locales: 'de', acr_values: '2 1', login_hint: 'zoe' }
    const got = await signInTo(await openIdClient(pool, WIKI), WIKI.redirectUris[0] ?? '', hints)

    expect(got.claims()).toMatchObject({ sub: zoe.sub })
  })

  // Evidence: oidc-11-a
  test('a tool that asks for offline_access gets a refresh token but not that scope', async () => {
    const config = await openIdClient(pool, WIKI)
    const got = await signInTo(config, WIKI.redirectUris[0] ?? '', { scope: 'openid offline_access' })

    expect(got.scope).toBe('openid')
    expect((await client.refreshTokenGrant(config, got.refresh_token ?? '')).claims()).toMatchObject({ sub: zoe.sub })
  })

  // Evidence: rfc9700-4.14.2-b
  test('a refresh can ask for fewer scopes but not for more', async () => {
    const config = await openIdClient(pool, WIKI)
    const got = await signInTo(config, WIKI.redirectUris[0] ?? '')
    const fewer = await client.refreshTokenGrant(config, got.refresh_token ?? '', { scope: 'openid' })

    expect(fewer.claims()).not.toHaveProperty('email')
    await expect(
      client.refreshTokenGrant(config, fewer.refresh_token ?? '', { scope: 'openid phone' }),
    ).rejects.toMatchObject({ error: 'invalid_scope' })
  })

  // Evidence: oidc-3.1.2.1-a, rfc9700-4.12-a
  test('an authorization request can be a form post, which gets a redirect with status 303', async () => {
    const config = await openIdClient(pool, WIKI)
    const { url } = await beginJourney(config, WIKI.redirectUris[0] ?? '')
    const ask = async (payload: string, type = 'application/x-www-form-urlencoded') =>
      await pool.app.inject({ method: 'POST', url: '/oauth2/authorize', headers: { 'content-type': type }, payload })

    const reply = await ask(url.searchParams.toString())
    expect(reply.statusCode).toBe(303)
    expect(String(reply.headers.location)).toMatch(/^https:\/\/marquee\.example\/auth\/authorize\?request=/u)
    const refused = `${PUBLIC_URL}/auth/authorize?error=request`
    expect((await ask(`${url.searchParams.toString()}&state=x`)).headers.location).toBe(refused)
    expect((await ask('{}', 'application/json')).headers.location).toBe(refused)
  })

  // Evidence: oidc-3.1.2.4-a, rfc9700-4.4.2.1-a, asvs-10.7.1, asvs-10.7.2
  test("the consent screen shows the tool's name and days of access, and the user can refuse", async () => {
    const { url, state } = await beginJourney(await openIdClient(pool, WIKI), WIKI.redirectUris[0] ?? '')
    const request = await requestOf(pool, url)

    expect(await callAsScreen(pool, 'question', tokens.IdToken, { request })).toEqual({
      status: 200,
      body: { clientName: 'Film wiki', scopes: ['openid', 'email', 'profile'], sessionDays: 30, signInAgain: false },
    })
    const { body } = await callAsScreen(pool, 'answer', tokens.IdToken, { request, isAllowed: false })
    const back = new URL(String(body['location']))
    expect(back.origin).toBe('https://wiki.example')
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      state,
      iss: `${PUBLIC_URL}/identity/${pool.identity.pool.userPoolId}`,
    })
  })

  // Evidence: asvs-10.4.9, asvs-10.7.3
  test('the session of a tool is listed under its name, and a global sign-out ends it', async () => {
    const ben = await aConfirmedUser(pool)
    const mine = await signIn(pool, ben)
    const config = await openIdClient(pool, WIKI)
    const { url, ...kept } = await beginJourney(config, WIKI.redirectUris[0] ?? '')
    const checks = { pkceCodeVerifier: kept.verifier, expectedState: kept.state, expectedNonce: kept.nonce }
    const got = await client.authorizationCodeGrant(config, await allow(pool, mine.IdToken, url), checks)

    const sessions = await pool.identity.account.listSessions(ben.sub)
    expect(sessions.map((session) => session.client)).toContain('Film wiki')
    await pool.call('GlobalSignOut', { AccessToken: mine.AccessToken })
    await expect(client.fetchUserInfo(config, got.access_token, ben.sub)).rejects.toMatchObject({ status: 401 })
  })

  const signedOut: [string, (user: Person & { sub: string }, tokens: Tokens) => Promise<unknown>][] = [
    ['signs out everywhere', async (_user, { AccessToken }) => await pool.call('GlobalSignOut', { AccessToken })],
    ['signs out', async (_user, { RefreshToken }) => await pool.call('RevokeToken', { Token: RefreshToken })],
    [
      'ends the session from another device',
      async ({ sub }) => {
        const [session] = await pool.identity.account.listSessions(sub)
        await pool.identity.account.endSession(sub, session?.sessionId ?? '', NO_CALLER)
      },
    ],
  ]
  test.each(signedOut)('an unused authorization code is void once the user %s', async (_how, end) => {
    const ben = await aConfirmedUser(pool)
    const mine = await signIn(pool, ben)
    const config = await openIdClient(pool, WIKI)
    const { url, ...kept } = await beginJourney(config, WIKI.redirectUris[0] ?? '')
    const back = await allow(pool, mine.IdToken, url)

    await end(ben, mine)

    const checks = { pkceCodeVerifier: kept.verifier, expectedState: kept.state, expectedNonce: kept.nonce }
    await expect(client.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect(await pool.identity.account.listSessions(ben.sub)).toEqual([])
  })

  test('a tool can end its old session before it exchanges a new code', async () => {
    const config = await openIdClient(pool, WIKI)
    const old = await signInTo(config, WIKI.redirectUris[0] ?? '')
    const { url, ...kept } = await beginJourney(config, WIKI.redirectUris[0] ?? '')
    const back = await allow(pool, tokens.IdToken, url)

    await client.tokenRevocation(config, old.refresh_token ?? '')

    const checks = { pkceCodeVerifier: kept.verifier, expectedState: kept.state, expectedNonce: kept.nonce }
    expect((await client.authorizationCodeGrant(config, back, checks)).claims()).toMatchObject({ sub: zoe.sub })
  })

  // Evidence: rfc9700-2.1.2-a, oidc-3.1.2.2-a, asvs-10.4.4, asvs-10.6.1
  test.each([
    ['token', 'unsupported_response_type'],
    ['', 'invalid_request'],
  ])('response_type %o redirects to the tool with %s', async (response_type, error) => {
    const { url } = await beginJourney(await openIdClient(pool, WIKI), WIKI.redirectUris[0] ?? '')
    url.searchParams.set('response_type', response_type)

    expect((await follow(pool, url)).searchParams.get('error')).toBe(error)
  })

  // Evidence: oidc-3.1.2.1-c, oidc-3.1.2.2-a, oidc-3.1.2.6-a, oidc-6-a
  test.each([
    [{ scope: 'openid aws.cognito.signin.user.admin' }, 'invalid_scope'],
    [{ prompt: 'none' }, 'interaction_required'],
    [{ max_age: 'soon' }, 'invalid_request'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ request_uri: 'https://wiki.example/request' }, 'request_uri_not_supported'],
    [{ request: 'e30.e30.' }, 'request_not_supported'],
  ])('the invalid request %o redirects to the tool with an error', async (more, error) => {
    const { url, state } = await beginJourney(await openIdClient(pool, WIKI), WIKI.redirectUris[0] ?? '', more)
    const back = await follow(pool, url)

    expect(back.href).toMatch(/^https:\/\/wiki\.example\/callback\?/u)
    expect(back.searchParams.get('error')).toBe(error)
    expect(back.searchParams.get('state')).toBe(state)
  })

  // Evidence: asvs-10.6.2
  test('a sign-out from a tool asks for confirmation and then redirects to a registered address', async () => {
    const config = await openIdClient(pool, WIKI)
    for (const url of [
      client.buildEndSessionUrl(config, { post_logout_redirect_uri: 'https://wiki.example/bye', state: 'x y' }),
      new URL(`${PUBLIC_URL}/logout?client_id=film-wiki&logout_uri=https%3A%2F%2Fwiki.example%2Fbye&state=x+y`),
    ]) {
      const screen = await follow(pool, url)
      expect(screen.href).toMatch(new RegExp(`^${PUBLIC_URL}/auth/logout\\?next=`, 'u'))
      const next = screen.searchParams.get('next') ?? ''
      expect((await follow(pool, `${PUBLIC_URL}/oauth2/logged-out?next=${next}`)).href).toBe(
        'https://wiki.example/bye?state=x+y',
      )
    }
  })

  test('log-out with a response_type requires another sign-in', async () => {
    const { url } = await beginJourney(await openIdClient(pool, WIKI), WIKI.redirectUris[0] ?? '')

    const signIn = await follow(pool, `${PUBLIC_URL}/logout${url.search}`)
    expect(Object.fromEntries(signIn.searchParams)).toEqual({
      ...Object.fromEntries(url.searchParams),
      prompt: 'login',
    })
    expect(signIn.pathname).toBe('/oauth2/authorize')
    const silent = await follow(pool, `${PUBLIC_URL}/logout${url.search}&prompt=none`)
    expect(silent.searchParams.get('prompt')).toBe('login')
  })

  // Evidence: rfc9700-2.6-a, rfc9700-2.1.1-c, oidc-3.1.2.1-a, oidc-5.3-a
  test('each endpoint of the discovery document responds', async () => {
    const { userPoolId } = pool.identity.pool
    const announced = (await pool.app.inject(`/identity/${userPoolId}/.well-known/openid-configuration`)).json<
      Record<string, string>
    >()
    const ask = async (name: string, method: 'GET' | 'POST' | 'OPTIONS') => {
      const url = String(announced[name])
      expect(url.startsWith(PUBLIC_URL)).toBe(true)
      const headers = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
      return (await pool.app.inject({ method, url: url.slice(PUBLIC_URL.length), headers })).statusCode
    }

    expect(announced['issuer']).toBe(`${PUBLIC_URL}/identity/${userPoolId}`)
    expect(await ask('jwks_uri', 'GET')).toBe(200)
    expect(await ask('authorization_endpoint', 'GET')).toBe(302)
    expect(await ask('authorization_endpoint', 'POST')).toBe(303)
    expect(await ask('end_session_endpoint', 'GET')).toBe(302)
    expect(await ask('token_endpoint', 'POST')).toBe(400)
    expect(await ask('revocation_endpoint', 'POST')).toBe(400)
    expect(await ask('userinfo_endpoint', 'GET')).toBe(401)
    expect(await ask('userinfo_endpoint', 'POST')).toBe(401)
    expect(announced).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      response_types_supported: ['code'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    })
  })

  test('hosted sign-in is off without registered tools, and discovery does not list it', async () => {
    const without = await aPool(useDatabase(), { beside: pool })
    const { statusCode } = await without.app.inject('/oauth2/authorize')
    const { userPoolId } = pool.identity.pool
    const discovery = await without.app.inject(`/identity/${userPoolId}/.well-known/openid-configuration`)

    expect(statusCode).toBe(404)
    expect(discovery.json()).not.toHaveProperty('authorization_endpoint')
    await without.close()
  })
})
