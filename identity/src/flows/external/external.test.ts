import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { NO_CALLER } from '@marquee/platform/http/caller'
import { eachStatement } from '@marquee/platform/testing/each-database'

import type { IdentityTables } from '../../base/tables.ts'
import { aPool, POOL_TABLES, PUBLIC_URL, type RunningPool } from '../../testing/a-pool.ts'
import { aBrowser, aProvider, comeBack, type RunningProvider } from '../../testing/external.ts'
import { overtaken, untilBlocked } from '../../testing/overtaken.ts'
import { aConfirmedUser, aPerson, signIn, tokensOf } from '../../testing/people.ts'
import { ownerKeyOf } from './flow.ts'
import { addLink, findOwner } from './link-store.ts'

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let provider: RunningProvider
  beforeAll(async () => {
    provider = await aProvider()
    pool = await aPool(useDatabase(), { settings: { externalProvider: provider.settings } })
  })
  afterAll(async () => {
    await pool.close()
    await provider.stop()
  })

  const keyOf = ({ sub: subject }: { sub: string }) => ownerKeyOf({ issuer: provider.settings.issuer, subject })
  const enter = async ({ username, ticket }: Record<string, unknown>) =>
    await pool.call('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: username, PASSWORD: ticket },
    })

  test('a new user chooses a name, gets an account with the verified address, and can sign in later', async () => {
    const there = await provider.person()
    const browser = aBrowser(pool)
    await comeBack(browser, provider, there, '/watchlists?x=1')

    const { body: asked } = await browser.call('POST', 'claim', { body: {} })
    expect(asked).toEqual({ kind: 'new', name: there.username, email: there.email, redirect: '/watchlists?x=1' })
    const { username } = aPerson()
    const { body: made } = await browser.call('POST', 'sign-up', { body: { name: username } })
    const { AccessToken } = tokensOf(await enter(made))
    expect((await pool.call('GetUser', { AccessToken })).body).toMatchObject({
      Username: username,
      UserAttributes: expect.arrayContaining([
        { Name: 'email', Value: there.email },
        { Name: 'email_verified', Value: 'true' },
      ]) as unknown,
    })

    const later = aBrowser(pool)
    await comeBack(later, provider, there)
    const { body: known } = await later.call('POST', 'claim', { body: {} })
    expect(known).toMatchObject({ kind: 'known', username, redirect: '/' })
    expect(tokensOf(await enter(known)).IdToken).toBeDefined()
  })

  test('a user links and unlinks their account, and is notified by mail', async () => {
    const there = await provider.person()
    const zoe = await aConfirmedUser(pool)
    const { IdToken: idToken } = await signIn(pool, zoe)
    const browser = aBrowser(pool)
    await comeBack(browser, provider, there)

    expect((await browser.call('GET', 'link', { idToken })).body).toEqual({ isLinked: false })
    expect(await browser.call('POST', 'link', { idToken, body: {} })).toEqual({ status: 200, body: { isLinked: true } })
    expect((await browser.call('GET', 'link', { idToken })).body).toEqual({ isLinked: true })
    const events = await pool.identity.account.listEvents(zoe.sub, { before: undefined, limit: 1 })
    expect(events).toMatchObject([{ kind: 'provider-linked' }])
    expect(await pool.identity.account.exportData(zoe.sub, NO_CALLER)).toMatchObject({
      externalSignIn: { issuer: provider.settings.issuer, subject: there.sub },
    })
    await vi.waitFor(
      async () => {
        const mails = (await pool.readMails(zoe.email)).join('\n')
        expect(mails).toContain('Subject: Another way to sign in was added')
      },
      { timeout: 30_000, interval: 5 },
    )

    await comeBack(browser, provider, there)
    expect((await browser.call('POST', 'claim', { body: {} })).body).toMatchObject({ username: zoe.username })
    expect((await browser.call('DELETE', 'link', { idToken })).body).toEqual({ isLinked: false })
    await comeBack(browser, provider, there)
    expect((await browser.call('POST', 'claim', { body: {} })).body).toMatchObject({ kind: 'new' })
  })

  // Evidence: asvs-6.3.4
  test('a sign-in with the provider still requires the second factor', async () => {
    const strict = await aPool(useDatabase(), {
      beside: pool,
      settings: { externalProvider: provider.settings, mfa: 'required' },
    })
    const browser = aBrowser(strict)
    await comeBack(browser, provider, await provider.person())
    const { body: another } = await browser.call('POST', 'sign-up', { body: { name: aPerson().username } })
    const reply = await strict.call('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: another['username'], PASSWORD: another['ticket'] },
    })
    expect(reply.body).toMatchObject({ ChallengeName: 'MFA_SETUP' })
    await strict.close()
  })

  test('an invalid or taken name is rejected, and the user can try another', async () => {
    const taken = await aConfirmedUser(pool)
    const browser = aBrowser(pool)
    await comeBack(browser, provider, await provider.person())
    const named = async (name: string) => (await browser.call('POST', 'sign-up', { body: { name } })).body

    expect(await named(taken.username)).toMatchObject({ error: 'name_taken' })
    expect(await named('ana@example.org')).toMatchObject({ error: 'name_invalid' })
    expect(await named(taken.sub)).toMatchObject({ error: 'name_invalid' })
    expect(await named('  ')).toMatchObject({ error: 'name_invalid' })
    expect(await named(aPerson().username)).toHaveProperty('ticket')
  })

  test('a deleted account leaves no link behind', async () => {
    const there = await provider.person()
    const browser = aBrowser(pool)
    await comeBack(browser, provider, there)
    const { body } = await browser.call('POST', 'sign-up', { body: { name: aPerson().username } })
    const { AccessToken } = tokensOf(await enter(body))
    expect(await pool.call('DeleteUser', { AccessToken })).toMatchObject({ status: 200 })

    await comeBack(browser, provider, there)
    expect((await browser.call('POST', 'claim', { body: {} })).body).toMatchObject({ kind: 'new' })
  })

  test('a link created while the account is deleted is removed with the account', { tags: ['race'] }, async () => {
    const race = overtaken(useDatabase())
    const settings = { externalProvider: provider.settings, database: race.database }
    const slow = await aPool(useDatabase(), { beside: pool, settings })
    const there = await provider.person()
    const { IdToken: idToken, AccessToken } = await signIn(pool, await aConfirmedUser(pool))
    const browser = aBrowser(slow)
    await comeBack(browser, provider, there)
    let deletion: ReturnType<typeof pool.call> | undefined
    race.beforeCommit(async () => {
      deletion = pool.call('DeleteUser', { AccessToken })
      await Promise.race([deletion, untilBlocked(useDatabase())])
    })

    expect(await browser.call('POST', 'link', { idToken, body: {} })).toMatchObject({ status: 200 })

    expect(await deletion).toMatchObject({ status: 200 })
    expect(await findOwner(useDatabase().withTables<IdentityTables>().read, keyOf(there))).toBeUndefined()
    await slow.close()
  })

  test('a person whose linked account no longer exists signs up as a new user', async () => {
    const there = await provider.person()
    const { issuer } = provider.settings
    const link = { owner_key: keyOf(there), sub: randomUUID(), issuer, subject: there.sub, created_at: '' }
    await useDatabase()
      .withTables<IdentityTables>()
      .transaction(async (trx) => await addLink(trx, link))
    const browser = aBrowser(pool)
    await comeBack(browser, provider, there)

    expect((await browser.call('POST', 'claim', { body: {} })).body).toMatchObject({ kind: 'new' })
    expect((await browser.call('POST', 'sign-up', { body: { name: aPerson().username } })).body).toHaveProperty(
      'ticket',
    )
  })

  // Evidence: asvs-7.6.1
  test('signing out redirects to the sign-out page of the provider', async () => {
    const { body } = await aBrowser(pool).call('GET', 'logout')
    const url = new URL(String(body['location']))

    expect(url.origin).toBe(new URL(provider.settings.issuer).origin)
    expect(url.pathname).toBe('/logout')
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${PUBLIC_URL}/auth/login`)
  })

  // Evidence: asvs-16.5.2
  test('an unreachable provider is reported on our page and contacted again at the next attempt', async () => {
    const settings = { ...provider.settings, issuer: 'http://127.0.0.1:9/unreachable' }
    const alone = await aPool(useDatabase(), { beside: pool, settings: { externalProvider: settings } })
    const browser = aBrowser(alone)

    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { location } = await browser.get('/oauth2/external/start')
      expect(location).toBe(`${PUBLIC_URL}/auth/external?error=unreachable`)
    }
    expect((await browser.call('GET', 'logout')).body).toEqual({ location: null })
    await alone.close()
  })
})
