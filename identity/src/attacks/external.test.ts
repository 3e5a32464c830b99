import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, PUBLIC_URL, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { aBrowser, aProvider, comeBack, goAndSignIn, type RunningProvider } from '../testing/external.ts'
import { aConfirmedUser, aPerson, signIn } from '../testing/people.ts'

const MINUTE = 60_000
const OVER = { status: 400, body: { error: 'flow_over' } }

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let provider: RunningProvider
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock(new Date().toISOString())
    provider = await aProvider()
    pool = await aPool(useDatabase(), { clock, settings: { externalProvider: provider.settings } })
  })
  afterAll(async () => {
    await pool.close()
    await provider.stop()
  })

  const enter = async (username: unknown, ticket: unknown) =>
    await pool.call('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: username, PASSWORD: ticket },
    })

  // Evidence: rfc9700-client-2.1-a, rfc9700-client-4.7.1-a, oidc-client-3.1.2.7-a, asvs-10.1.2, asvs-10.2.1
  test('an answer from the provider is rejected in a browser that did not start the flow', async () => {
    const eve = aBrowser(pool)
    const answer = await goAndSignIn(eve, provider, await provider.person())
    const victim = aBrowser(pool)

    expect((await victim.get(answer)).location).toBe(`${PUBLIC_URL}/auth/external?error=over`)
    await victim.get('/oauth2/external/start')
    expect((await victim.get(answer)).location).toBe(`${PUBLIC_URL}/auth/external?error=failed`)
    expect(await victim.call('POST', 'claim', { body: {} })).toMatchObject(OVER)
  })

  // Evidence: rfc9700-client-4.7.1-a
  test('an answer from the provider is accepted only once', async () => {
    const browser = aBrowser(pool)
    const answer = await goAndSignIn(browser, provider, await provider.person())
    const kept = browser.cookie
    expect((await browser.get(answer)).location).toBe(`${PUBLIC_URL}/auth/external`)
    browser.cookie = kept

    expect((await browser.get(answer)).location).toBe(`${PUBLIC_URL}/auth/external?error=over`)
  })

  // Evidence: rfc9700-client-4.4.2-a, asvs-10.1.2, asvs-10.2.1, asvs-10.2.2
  test('an answer with another state, or from another issuer, is rejected', async () => {
    for (const [name, value] of [
      ['state', 'another'],
      ['iss', 'https://evil.example'],
    ] as const) {
      const browser = aBrowser(pool)
      const answer = new URL(await goAndSignIn(browser, provider, await provider.person()), PUBLIC_URL)
      answer.searchParams.set(name, value)
      const { location } = await browser.get(`${answer.pathname}${answer.search}`)
      expect(location).toBe(`${PUBLIC_URL}/auth/external?error=failed`)
    }
  })

  // Evidence: asvs-3.5.1
  test('the flow cookie is rejected when it is altered, used from another site or older than 15 minutes', async () => {
    const browser = aBrowser(pool)
    await comeBack(browser, provider, await provider.person())
    const good = browser.cookie
    const at = good.length - 20
    browser.cookie = `${good.slice(0, at)}${good[at] === 'A' ? 'B' : 'A'}${good.slice(at + 1)}`
    expect(await browser.call('POST', 'claim', { body: {} })).toMatchObject(OVER)
    browser.cookie = good
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      expect(await browser.call('POST', 'claim', { body: {}, headers })).toMatchObject({ status: 400 })
    }
    expect(await browser.call('POST', 'claim', { body: {} })).toMatchObject({ status: 200 })
    clock.advance(15 * MINUTE)
    expect(await browser.call('POST', 'claim', { body: {} })).toMatchObject(OVER)
  })

  // Evidence: asvs-7.6.2
  test('a link from another site leads to the login screen instead of the provider', async () => {
    const start = '/oauth2/external/start?redirect=%2Fwatchlists%3Fa%3D1'
    const browser = aBrowser(pool)

    for (const site of ['cross-site', 'same-site']) {
      const { location } = await browser.get(start, { 'sec-fetch-site': site })
      expect(location).toBe(`${PUBLIC_URL}/auth/login?redirect=%2Fwatchlists%3Fa%3D1`)
    }
    expect(browser.cookie).toBe('')
    for (const site of ['same-origin', 'none']) {
      const { location } = await browser.get(start, { 'sec-fetch-site': site })
      expect(new URL(location).origin).toBe(new URL(provider.settings.issuer).origin)
    }
  })

  // Evidence: asvs-3.3.1, asvs-3.3.2, asvs-3.3.3, asvs-3.3.4
  test('the cookie is hidden from scripts, other sites, plain http and other hosts', async () => {
    const { headers } = await pool.app.inject('/oauth2/external/start')

    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-marquee-external=[\w-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/u,
    )
  })

  // Evidence: oidc-client-5.7-a, asvs-6.8.1, asvs-10.5.2
  test('a matching e-mail address gives no access to an existing account, by linking or by sign-up', async () => {
    const zoe = await aConfirmedUser(pool)
    const eve = await provider.person({ email: zoe.email })
    const browser = aBrowser(pool)
    await comeBack(browser, provider, eve)

    expect((await browser.call('POST', 'claim', { body: {} })).body).toMatchObject({ kind: 'new' })
    const { body } = await browser.call('POST', 'sign-up', { body: { name: aPerson().username } })
    expect(body).toMatchObject({ error: 'email_taken' })
    expect(await browser.call('POST', 'link', { body: {} })).toMatchObject({ status: 401 })
  })

  // Evidence: asvs-7.5.1
  test('linking and unlinking need a fresh sign-in, and a provider user can have only one account', async () => {
    const there = await provider.person()
    const [zoe, eve] = [await aConfirmedUser(pool), await aConfirmedUser(pool)]
    const old = (await signIn(pool, zoe)).IdToken
    clock.advance(20 * MINUTE)
    const browser = aBrowser(pool)
    await comeBack(browser, provider, there)
    expect((await browser.call('POST', 'link', { idToken: old, body: {} })).body).toMatchObject({
      error: 'sign_in_again',
    })
    const fresh = (await signIn(pool, zoe)).IdToken
    expect(await browser.call('POST', 'link', { idToken: fresh, body: {} })).toMatchObject({ status: 200 })

    const other = aBrowser(pool)
    await comeBack(other, provider, there)
    const idToken = (await signIn(pool, eve)).IdToken
    expect((await other.call('POST', 'link', { idToken, body: {} })).body).toMatchObject({ error: 'already_linked' })
    const another = aBrowser(pool)
    await comeBack(another, provider, await provider.person())
    expect((await another.call('POST', 'link', { idToken: fresh, body: {} })).body).toMatchObject({
      error: 'already_linked',
    })

    clock.advance(16 * MINUTE)
    const older = { idToken: fresh }
    expect((await browser.call('DELETE', 'link', older)).body).toMatchObject({ error: 'sign_in_again' })
    expect((await browser.call('GET', 'link', older)).body).toEqual({ isLinked: true })
  })

  test('two concurrent sign-ups with one cookie create one account', { tags: ['race'] }, async () => {
    const browser = aBrowser(pool)
    await comeBack(browser, provider, await provider.person())
    const kept = browser.cookie
    const replies = await Promise.all(
      [1, 2].map(async () => {
        const tab = aBrowser(pool)
        tab.cookie = kept
        return await tab.call('POST', 'sign-up', { body: { name: aPerson().username } })
      }),
    )

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a flow cookie can link an account or get a ticket only once', async () => {
    const there = await provider.person()
    const zoe = await aConfirmedUser(pool)
    const { IdToken: idToken } = await signIn(pool, zoe)
    const browser = aBrowser(pool)
    await comeBack(browser, provider, there)
    const linking = browser.cookie
    expect(await browser.call('POST', 'link', { idToken, body: {} })).toMatchObject({ status: 200 })
    await browser.call('DELETE', 'link', { idToken })
    browser.cookie = linking
    expect(await browser.call('POST', 'link', { idToken, body: {} })).toMatchObject(OVER)

    await comeBack(browser, provider, there)
    await browser.call('POST', 'link', { idToken, body: {} })
    await comeBack(browser, provider, there)
    const kept = browser.cookie
    expect(await browser.call('POST', 'claim', { body: {} })).toMatchObject({ status: 200 })
    browser.cookie = kept
    expect(await browser.call('POST', 'claim', { body: {} })).toMatchObject(OVER)
  })

  test(
    'a ticket signs in only its own account, once, within a minute, and not after a password change',
    { tags: ['race'] },
    async () => {
      const there = await provider.person()
      const zoe = await aConfirmedUser(pool)
      const { IdToken: idToken, AccessToken } = await signIn(pool, zoe)
      const browser = aBrowser(pool)
      await comeBack(browser, provider, there)
      await browser.call('POST', 'link', { idToken, body: {} })
      const aTicket = async () => {
        await comeBack(browser, provider, there)
        return (await browser.call('POST', 'claim', { body: {} })).body['ticket']
      }
      const refused = { status: 400, body: { message: 'Incorrect username or password.' } }

      const eve = await aConfirmedUser(pool)
      const first = await aTicket()
      expect(await enter(eve.username, first)).toMatchObject(refused)
      expect(await enter('unknown', first)).toMatchObject(refused)
      const both = await Promise.all([enter(zoe.username, first), enter(zoe.username, first)])
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(await enter(zoe.username, first)).toMatchObject(refused)

      const late = await aTicket()
      clock.advance(MINUTE)
      expect(await enter(zoe.username, late)).toMatchObject(refused)

      const before = await aTicket()
      const change = { AccessToken, PreviousPassword: zoe.password, ProposedPassword: 'An0ther-Passw0rd' }
      expect(await pool.call('ChangePassword', change)).toMatchObject({ status: 200 })
      expect(await enter(zoe.username, before)).toMatchObject(refused)
    },
  )
})
