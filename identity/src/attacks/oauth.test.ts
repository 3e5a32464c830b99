import { decodeJwt } from 'jose'
import type * as client from 'openid-client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { InvalidToken } from '../index.ts'
import { aPool, POOL_TABLES, PUBLIC_URL, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import {
  allow,
  beginJourney,
  callAsScreen,
  follow,
  openIdClient,
  PHONE_APP,
  post,
  requestOf,
  TOOLS,
  WIKI,
} from '../testing/other-tools.ts'
import { aConfirmedUser, type Person, signIn, type Tokens } from '../testing/people.ts'

const HOME = 'https://wiki.example/callback'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } }

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  let zoe: Person & { sub: string }
  let tokens: Tokens
  let wiki: client.Configuration
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock, settings: { oauthClients: TOOLS } })
    zoe = await aConfirmedUser(pool)
    tokens = await signIn(pool, zoe)
    wiki = await openIdClient(pool, WIKI)
  })
  afterAll(async () => {
    await pool.close()
  })

  /** The parameters of a valid exchange; attacks change one of them. */
  async function aCode(idToken = tokens.IdToken): Promise<Record<string, string>> {
    const { url, verifier } = await beginJourney(wiki, HOME)
    const code = (await allow(pool, idToken, url)).searchParams.get('code') ?? ''
    return {
      grant_type: 'authorization_code',
      code,
      redirect_uri: HOME,
      code_verifier: verifier,
      client_id: WIKI.id,
      client_secret: WIKI.secret ?? '',
    }
  }
  const userInfo = async (token: unknown) =>
    (await pool.app.inject({ url: '/oauth2/userInfo', headers: { authorization: `Bearer ${String(token)}` } }))
      .statusCode

  // Evidence: rfc9700-2.1-a, rfc9700-2.1-b, rfc9700-4.11.2-a, oidc-3.1.2.1-b, oidc-3.1.2.6-a, asvs-3.7.2, asvs-10.4.1
  test.each([
    'https://wiki.example/callback/',
    'https://wiki.example/callback?x=1',
    'https://wiki.example/callback#x',
    'https://wiki.example/Callback',
    'https://WIKI.example/callback',
    'https://wiki.example:443/callback',
    'http://wiki.example/callback',
    'https://wiki.example/callback/../evil',
    'https://wiki.example.evil.example/callback',
    'https://wiki.example@evil.example/callback',
    'https://evil.example/?https://wiki.example/callback',
    '//evil.example/callback',
    String.raw`https:\\evil.example`,
    'javascript:alert(1)',
    'https://wiki.example/callback%00',
    'https://wiki.example/callback\r\nLocation: https://evil.example',
    'http://127.0.0.1:4711/back',
    '',
  ])('no browser is redirected to the unregistered redirect_uri %o', async (redirectUri) => {
    const { url } = await beginJourney(wiki, HOME)
    url.searchParams.set('redirect_uri', redirectUri)

    expect((await follow(pool, url)).href).toBe(`${PUBLIC_URL}/auth/authorize?error=redirect`)
    url.searchParams.set('response_type', 'token')
    expect((await follow(pool, url)).href).toBe(`${PUBLIC_URL}/auth/authorize?error=redirect`)
  })

  // Evidence: rfc9700-4.1.3-b
  test.each([
    'http://127.0.0.1:4711/elsewhere',
    'http://127.0.0.1:50123/back/',
    'http://127.0.0.1:50123/back?x=1',
    'http://localhost:50123/back',
    'http://127.0.0.1:70000/back',
    'http://127.0.0.1:/back',
    'http://127.0.0.1:50123@evil.example/back',
    'http://127.0.0.1:50123.evil.example/back',
    'http://evil.example:4711/back',
    'https://127.0.0.1:4711/back',
  ])('a native app gets no code at %o, which differs in more than the port', async (uri) => {
    const { url } = await beginJourney(await openIdClient(pool, PHONE_APP), uri)

    expect((await follow(pool, url)).href).toBe(`${PUBLIC_URL}/auth/authorize?error=redirect`)
  })

  // Evidence: rfc9700-2.1-b, rfc9700-4.1.3-b
  test('a tool with a secret gets codes only at the registered port', async () => {
    const oauthClients = [{ ...WIKI, redirectUris: ['http://127.0.0.1:4711/back'] }]
    const other = await aPool(pool.ports.database, { clock, beside: pool, settings: { oauthClients } })
    onTestFinished(other.close)
    const { url } = await beginJourney(await openIdClient(other, WIKI), 'http://127.0.0.1:4712/back')

    expect((await follow(other, url)).href).toBe(`${PUBLIC_URL}/auth/authorize?error=redirect`)
  })

  // Evidence: rfc9700-2.1-b, asvs-3.7.2
  test.each([
    'https://wiki.example/bye/',
    'https://wiki.example/callback',
    'https://evil.example/bye',
    '//evil.example',
    'javascript:alert(1)',
    '',
  ])('no browser is redirected to the unregistered logout_uri %o', async (uri) => {
    const query = new URLSearchParams({ client_id: WIKI.id, logout_uri: uri })

    expect((await follow(pool, `${PUBLIC_URL}/logout?${query.toString()}`)).href).toBe(
      `${PUBLIC_URL}/auth/logout?error=redirect`,
    )
  })

  test('a state or nonce that is too long is rejected, and no reply repeats it', async () => {
    const long = 'ü'.repeat(1_025)
    for (const name of ['state', 'nonce']) {
      const { url } = await beginJourney(wiki, HOME, { [name]: long })

      const { searchParams } = await follow(pool, url)

      expect(searchParams.get('error_description')).toBe('state and nonce may have 2048 bytes')
      expect(searchParams.get('state')).not.toBe(long)
    }
    const query = new URLSearchParams({ client_id: WIKI.id, logout_uri: 'https://wiki.example/bye', state: long })
    const next = (await follow(pool, `${PUBLIC_URL}/logout?${query.toString()}`)).searchParams.get('next') ?? ''
    expect((await follow(pool, `${PUBLIC_URL}/oauth2/logged-out?next=${next}`)).href).toBe('https://wiki.example/bye')
  })

  // Evidence: rfc9700-2.1-b
  test('the redirect after a sign-out cannot be forged, altered or replaced by another sealed value', async () => {
    const query = `client_id=${WIKI.id}&logout_uri=${encodeURIComponent('https://wiki.example/bye')}`
    const next = (await follow(pool, `${PUBLIC_URL}/logout?${query}`)).searchParams.get('next') ?? ''
    const other = await requestOf(pool, (await beginJourney(wiki, HOME)).url)
    const altered = `${next.slice(0, 30)}${next[30] === 'A' ? 'B' : 'A'}${next.slice(31)}`

    for (const wrong of ['', 'https://evil.example', altered, other, `${next}&next=${next}`]) {
      expect((await follow(pool, `${PUBLIC_URL}/oauth2/logged-out?next=${wrong}`)).href).toBe(
        `${PUBLIC_URL}/auth/login`,
      )
    }
    expect((await follow(pool, `${PUBLIC_URL}/oauth2/logged-out?next=${next}`)).href).toBe('https://wiki.example/bye')
  })

  // Evidence: asvs-15.3.7
  test('a repeated parameter is rejected without a redirect to the tool', async () => {
    const { url } = await beginJourney(wiki, HOME)
    for (const name of ['redirect_uri', 'client_id', 'state']) {
      const twice = new URL(url)
      twice.searchParams.append(name, 'https://evil.example')
      expect((await follow(pool, twice)).href).toBe(`${PUBLIC_URL}/auth/authorize?error=request`)
    }
    const form = new URLSearchParams(await aCode())
    expect(await post(pool, 'token', `${form.toString()}&code=again`)).toMatchObject({
      body: { error: 'invalid_request' },
    })
  })

  test('a state with line breaks adds no header and is returned unchanged', async () => {
    const state = 'x\r\nSet-Cookie: a=b'
    const { url } = await beginJourney(wiki, HOME, { state, scope: 'nonsense' })
    const reply = await pool.app.inject(`${url.pathname}${url.search}`)

    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(new URL(String(reply.headers.location)).searchParams.get('state')).toBe(state)
  })

  // Evidence: rfc9700-2.1.1-a, rfc9700-2.1.1-b, rfc9700-4.8.2-a, asvs-10.4.6
  test.each([
    [{ code_challenge: '' }],
    [{ code_challenge_method: 'plain' }],
    [{ code_challenge_method: '' }],
    [{ code_challenge: 'short' }],
  ])('a request without PKCE and S256 gets no code: %o', async (more) => {
    const { url } = await beginJourney(wiki, HOME)
    for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value)

    expect((await follow(pool, url)).searchParams.get('error')).toBe('invalid_request')
  })

  // Evidence: rfc9700-2.1.1-a, rfc9700-4.5.3.1-a, oidc-3.1.3.2-a
  test.each([
    ['another verifier', { code_verifier: 'v'.repeat(43) }],
    ['another redirect_uri', { redirect_uri: 'https://wiki.example/callback?from=marquee' }],
    ['another client', { client_id: PHONE_APP.id, client_secret: '' }],
    ['a made-up code', { code: 'A'.repeat(64) }],
    ['no code at all', { code: 'none' }],
  ])('an exchange with %s is rejected, and the code stays valid for the right request', async (_what, wrong) => {
    const good = await aCode()

    expect(await post(pool, 'token', { ...good, ...wrong })).toMatchObject(INVALID_GRANT)
    expect(await post(pool, 'token', good)).toMatchObject({ status: 200 })
  })

  // Evidence: rfc9700-2.1.1-a, rfc9700-2.1.1-b, asvs-10.4.6
  test('an exchange without a verifier is rejected', async () => {
    const { code_verifier: _verifier, ...without } = await aCode()

    expect(await post(pool, 'token', without)).toMatchObject({ body: { error: 'invalid_request' } })
  })

  // Evidence: rfc9700-2.4-a, oidc-3.1.3.4-a, asvs-10.4.4
  test.each(['password', 'client_credentials', 'implicit'])('the grant type %s is rejected', async (grant_type) => {
    const refusal = await post(pool, 'token', {
      ...(await aCode()),
      grant_type,
      username: zoe.email,
      password: zoe.password,
    })

    expect(refusal).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } })
  })

  // Evidence: rfc9700-2.5-a, oidc-3.1.3.2-b, oidc-3.1.3.4-a, asvs-10.4.10
  test.each([
    ['a wrong secret', { client_secret: 'x'.repeat(32) }],
    ['no secret', { client_secret: '' }],
    ['an unknown client', { client_id: 'unknown' }],
  ])('a token request with %s is rejected', async (_what, wrong) => {
    const refusal = await post(pool, 'token', { ...(await aCode()), ...wrong })

    expect(refusal).toMatchObject({ status: 400, body: { error: 'invalid_client' } })
  })

  // Evidence: rfc9700-2.5-a, oidc-3.1.3.2-b, oidc-3.1.3.4-a, asvs-10.4.10
  test.each([
    ['a wrong secret', `${WIKI.id}:${'x'.repeat(32)}`],
    ['an unknown client', `unknown:${WIKI.secret}`],
    ['no colon', 'nonsense'],
    ['a broken encoding', `${WIKI.id}:%zz`],
  ])('a token request with %s in the header is rejected with the supported scheme', async (_what, pair) => {
    const { client_id: _id, client_secret: _secret, ...form } = await aCode()
    const reply = await pool.app.inject({
      method: 'POST',
      url: '/oauth2/token',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      },
      payload: new URLSearchParams(form).toString(),
    })

    expect(reply.statusCode).toBe(401)
    expect(reply.json()).toMatchObject({ error: 'invalid_client' })
    expect(reply.headers['www-authenticate']).toBe('Basic realm="marquee"')
  })

  // Evidence: oidc-3.1.3.3-a, asvs-14.2.2, asvs-14.3.2
  test('token replies and errors are not cached', async () => {
    const good = await aCode()
    for (const status of [200, 400]) {
      const reply = await pool.app.inject({
        method: 'POST',
        url: '/oauth2/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(good).toString(),
      })
      expect(reply.statusCode).toBe(status)
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    }
  })

  // Evidence: asvs-10.4.3
  test('a code is valid for five minutes and then expires', async () => {
    const [good, late] = [await aCode(), await aCode()]

    clock.advance(5 * MINUTE - 1)
    expect(await post(pool, 'token', good)).toMatchObject({ status: 200 })
    clock.advance(1)

    expect(await post(pool, 'token', late)).toMatchObject(INVALID_GRANT)
  })

  // Evidence: rfc9700-4.2.4-b, rfc9700-4.2.4-c, oidc-3.1.3.2-a, asvs-10.4.2
  test('a reused code ends its session', async () => {
    const good = await aCode()
    const first = await post(pool, 'token', good)
    const renewal = { ...good, grant_type: 'refresh_token', refresh_token: String(first.body['refresh_token']) }

    expect(await userInfo(first.body['access_token'])).toBe(200)
    expect(await post(pool, 'token', good)).toMatchObject(INVALID_GRANT)
    expect(await userInfo(first.body['access_token'])).toBe(401)
    expect(await post(pool, 'token', renewal)).toMatchObject(INVALID_GRANT)
  })

  // Evidence: rfc9700-4.2.4-b, rfc9700-4.2.4-c
  test(
    'ten concurrent exchanges of a code give tokens at most once, and the others revoke them',
    { tags: ['race'] },
    async () => {
      const good = await aCode()
      const before = (await pool.identity.account.listSessions(zoe.sub)).length
      const replies = await Promise.all(Array.from({ length: 10 }, async () => await post(pool, 'token', good)))

      expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
      expect(replies.filter(({ body }) => body['error'] === 'invalid_grant').length).toBeGreaterThanOrEqual(9)
      for (const { body } of replies) expect(await userInfo(body['access_token'])).toBe(401)
      expect((await pool.identity.account.listSessions(zoe.sub)).length).toBe(before)
    },
  )

  // Evidence: rfc9700-4.2.4-c
  test('two concurrent exchanges of a code leave no valid tokens', { tags: ['race'] }, async () => {
    for (let round = 1; round <= 5; round += 1) {
      const good = await aCode()
      const replies = await Promise.all([post(pool, 'token', good), post(pool, 'token', good)])

      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const { body } of replies) expect(await userInfo(body['access_token'])).toBe(401)
    }
  })

  test('a password change voids an unused code', async () => {
    const ben = await aConfirmedUser(pool)
    const { IdToken, AccessToken } = await signIn(pool, ben)
    const good = await aCode(IdToken)
    const change = { AccessToken, PreviousPassword: ben.password, ProposedPassword: 'An0ther-Passw0rd' }

    expect(await pool.call('ChangePassword', change)).toMatchObject({ status: 200 })
    expect(await post(pool, 'token', good)).toMatchObject(INVALID_GRANT)
  })

  // Evidence: oidc-3.1.2.3-a, oidc-3.1.2.4-a
  test(
    'an authorization request can be answered only once, by a signed-in user, within half an hour',
    { tags: ['race'] },
    async () => {
      const request = await requestOf(pool, (await beginJourney(wiki, HOME)).url)
      const answer = { request, isAllowed: true }
      const altered = `${request.slice(0, 40)}${request[40] === 'A' ? 'B' : 'A'}${request.slice(41)}`

      for (const token of [undefined, 'nonsense', tokens.AccessToken, tokens.RefreshToken]) {
        expect(await callAsScreen(pool, 'answer', token, answer)).toMatchObject({ status: 401 })
        expect(await callAsScreen(pool, 'question', token, answer)).toMatchObject({ status: 401 })
      }
      const expired = { status: 400, body: { error: 'expired_request' } }
      expect(await callAsScreen(pool, 'answer', tokens.IdToken, { ...answer, request: altered })).toMatchObject(expired)
      const replies = await Promise.all(
        [1, 2].map(async () => await callAsScreen(pool, 'answer', tokens.IdToken, answer)),
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await callAsScreen(pool, 'answer', tokens.IdToken, answer)).toMatchObject(expired)

      const late = await requestOf(pool, (await beginJourney(wiki, HOME)).url)
      clock.advance(30 * MINUTE)
      expect(await callAsScreen(pool, 'question', tokens.IdToken, { request: late })).toMatchObject(expired)
    },
  )

  // Evidence: asvs-10.7.2, rfc9700-4.14.2-c
  test('a tool can refresh its tokens for the number of days on the consent screen, and no longer', async () => {
    const request = await requestOf(pool, (await beginJourney(wiki, HOME)).url)
    expect(await callAsScreen(pool, 'question', tokens.IdToken, { request })).toMatchObject({
      body: { sessionDays: 30 },
    })
    const first = (await post(pool, 'token', await aCode())).body['refresh_token']
    const renew = async (token: unknown) =>
      await post(pool, 'token', {
        grant_type: 'refresh_token',
        refresh_token: String(token),
        client_id: WIKI.id,
        client_secret: WIKI.secret ?? '',
      })

    clock.advance(30 * DAY - MINUTE)
    const last = await renew(first)
    clock.advance(MINUTE)

    expect(last).toMatchObject({ status: 200 })
    expect(await renew(last.body['refresh_token'])).toMatchObject(INVALID_GRANT)
    tokens = await signIn(pool, zoe)
  })

  test('a session that ended in another process gets no code, even with a recently verified token', async () => {
    const { IdToken, AccessToken } = await signIn(pool, zoe)
    const request = await requestOf(pool, (await beginJourney(wiki, HOME)).url)
    expect(await callAsScreen(pool, 'question', IdToken, { request })).toMatchObject({ status: 200 })
    const other = await aPool(pool.ports.database, { clock, beside: pool, settings: { oauthClients: TOOLS } })
    expect(await other.call('GlobalSignOut', { AccessToken })).toMatchObject({ status: 200 })
    await other.close()

    expect(await callAsScreen(pool, 'answer', IdToken, { request, isAllowed: true })).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    })
    tokens = await signIn(pool, zoe)
  })

  test('an authorization request fails once its redirect address or its tool is no longer registered', async () => {
    const request = await requestOf(pool, (await beginJourney(wiki, HOME)).url)
    for (const oauthClients of [[PHONE_APP], [{ ...WIKI, redirectUris: ['https://wiki.example/elsewhere'] }]]) {
      const changed = await aPool(pool.ports.database, { clock, beside: pool, settings: { oauthClients } })
      expect(await callAsScreen(changed, 'answer', tokens.IdToken, { request, isAllowed: true })).toMatchObject({
        status: 400,
        body: { error: 'expired_request' },
      })
      await changed.close()
    }
    expect(await callAsScreen(pool, 'answer', tokens.IdToken, { request, isAllowed: true })).toMatchObject({
      status: 200,
    })
  })

  // Evidence: oidc-3.1.2.1-d, asvs-10.3.4
  test('a request for a fresh sign-in cannot be answered with an older sign-in', async () => {
    const before = (await signIn(pool, zoe)).IdToken
    clock.advance(MINUTE)
    for (const more of [{ prompt: 'login' }, { max_age: '30' }]) {
      const { url } = await beginJourney(wiki, HOME, more as Record<string, string>)
      const request = await requestOf(pool, url)
      const question = await callAsScreen(pool, 'question', before, { request })
      expect(question.body).toMatchObject({ signInAgain: true })
      expect(await callAsScreen(pool, 'answer', before, { request, isAllowed: true })).toMatchObject({ status: 400 })
      const after = (await signIn(pool, zoe)).IdToken
      expect(await callAsScreen(pool, 'answer', after, { request, isAllowed: true })).toMatchObject({ status: 200 })
    }
  })

  // Evidence: rfc9700-2.3-a, rfc9700-2.3-b, oidc-5.3.3-a, asvs-9.2.3, asvs-9.2.4, asvs-10.3.1
  test('the product rejects tokens of a tool, and the endpoints for tools reject tokens of the product', async () => {
    tokens = await signIn(pool, zoe)
    const good = await aCode()
    const { body } = await post(pool, 'token', good)
    const { id_token: idToken, access_token: access, refresh_token: refresh } = body as Record<string, string>

    expect(decodeJwt(idToken ?? '').aud).toBe(WIKI.id)
    await expect(pool.identity.verifyIdToken(idToken ?? '')).rejects.toThrow(InvalidToken)
    expect(await pool.call('GetUser', { AccessToken: access })).toMatchObject({
      status: 400,
      body: { message: 'Invalid Access Token' },
    })
    expect(await pool.call('DeleteUser', { AccessToken: access })).toMatchObject({ status: 400 })
    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken: refresh })).toMatchObject({ status: 400 })
    const request = await requestOf(pool, (await beginJourney(wiki, HOME)).url)
    expect(await callAsScreen(pool, 'answer', idToken, { request, isAllowed: true })).toMatchObject({ status: 401 })

    expect(await userInfo(tokens.AccessToken)).toBe(403)
    expect(await userInfo(tokens.IdToken)).toBe(401)
    expect(await userInfo(idToken)).toBe(401)
    const renewal = { ...good, grant_type: 'refresh_token' }
    expect(await post(pool, 'token', { ...renewal, refresh_token: tokens.RefreshToken })).toMatchObject(INVALID_GRANT)
  })

  // Evidence: oidc-12.1-a, rfc9700-4.14.2-b
  test('a tool can neither refresh nor revoke the tokens of another tool', async () => {
    const { body } = await post(pool, 'token', await aCode())
    const refresh = String(body['refresh_token'])
    const app = { client_id: PHONE_APP.id, token: refresh, refresh_token: refresh, grant_type: 'refresh_token' }

    expect(await post(pool, 'token', app)).toMatchObject(INVALID_GRANT)
    expect(await post(pool, 'revoke', app)).toMatchObject({ status: 200 })
    expect(await pool.call('RevokeToken', { Token: refresh })).toEqual({ status: 200, body: {} })
    expect(await userInfo(body['access_token'])).toBe(200)
  })

  // Evidence: rfc9700-4.14.2-b
  test('a refresh for more scopes is rejected, and the token and its session stay valid', async () => {
    const good = await aCode()
    const { body } = await post(pool, 'token', good)
    const renewal = { ...good, grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) }

    expect(await post(pool, 'token', { ...renewal, scope: 'openid phone' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
    clock.advance(2 * MINUTE)
    expect(await post(pool, 'token', renewal)).toMatchObject({ status: 200 })
  })

  // Evidence: rfc9700-2.2.2-a, rfc9700-4.14.2-a
  test('a replaced refresh token that is used after the grace period ends the session', async () => {
    const good = await aCode()
    const { body } = await post(pool, 'token', good)
    const renewal = { ...good, grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) }
    const next = await post(pool, 'token', renewal)
    clock.advance(2 * MINUTE)

    expect(await post(pool, 'token', renewal)).toMatchObject(INVALID_GRANT)
    expect(await userInfo(next.body['access_token'])).toBe(401)
  })
})
