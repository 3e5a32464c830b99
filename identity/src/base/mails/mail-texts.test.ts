import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { aPool, POOL_TABLES, type RunningPool } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signUp } from '../../testing/people.ts'

anyDatabase(POOL_TABLES, (theDatabase) => {
  let pool: RunningPool
  const chosen = new Map<string, string>()
  /** How often the pool asked for the language of a user. */
  let asked = 0

  beforeAll(async () => {
    const languageOf = async (_db: unknown, sub: string) => {
      asked += 1
      return await Promise.resolve(chosen.get(sub))
    }
    pool = await aPool(theDatabase(), { settings: { languageOf } })
  })
  afterAll(async () => {
    await pool.close()
  })

  const mailTo = async (email: string, count: number) =>
    await vi.waitFor(async () => {
      const mails = await pool.readMails(email)
      expect(mails).toHaveLength(count)
      return mails.at(-1) ?? ''
    }, WITHIN)

  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'Dieser Code bestätigt deine E-Mail-Adresse:'],
    ['ar', 'هذا هو الرمز الذي يؤكد بريدك الإلكتروني:'],
    ['nl', 'This is the code that confirms your e-mail address:'],
  ])('a sign-up with Accept-Language %s gets a mail that says "%s"', async (acceptLanguage, intro) => {
    const { username, email, password } = aPerson()
    const UserAttributes = [{ Name: 'email', Value: email }]
    const request = { Username: username, Password: password, UserAttributes }

    const { status } = await pool.call('SignUp', request, { 'accept-language': acceptLanguage })

    expect(status).toBe(200)
    expect(await mailTo(email, 1)).toContain(intro)
    expect(await pool.readCode(email)).toMatch(/^\d{6}$/u)
  })

  test('the language that a visitor has chosen takes precedence over that of the browser', async () => {
    const zoe = await aConfirmedUser(pool)
    const ClientMetadata = { language: 'pt-BR' }

    await pool.call('ForgotPassword', { Username: zoe.email, ClientMetadata }, { 'accept-language': 'de' })

    expect(await mailTo(zoe.email, 2)).toContain('Este é o código para criar uma nova senha:')
  })

  test('the language that a user has chosen takes precedence over that of the request', async () => {
    const zoe = await aConfirmedUser(pool)
    chosen.set(zoe.sub, 'fr')

    await pool.call('ForgotPassword', { Username: zoe.email }, { 'accept-language': 'de' })

    expect(await mailTo(zoe.email, 2)).toContain('Voici le code pour choisir un nouveau mot de passe\u00A0:')
  })

  test('the language is looked up even for an unknown name', async () => {
    const before = asked

    const { status } = await pool.call('ForgotPassword', { Username: 'eve@example.org' })

    expect([status, asked - before]).toEqual([200, 1])
  })

  test.each([
    ['de', 'UTC, Firefox auf Windows'],
    ['ar', '\u2068Firefox\u2069 على \u2068Windows\u2069'],
  ])('a security notice in the language %s contains "%s"', async (language, client) => {
    const zoe = await aConfirmedUser(pool)
    chosen.set(zoe.sub, language)
    await pool.call('ForgotPassword', { Username: zoe.email })
    await mailTo(zoe.email, 2)

    const reset = { Username: zoe.email, ConfirmationCode: await pool.readCode(zoe.email, 2), Password: 'Passw0rd-new' }
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
    const { status } = await pool.call('ConfirmForgotPassword', reset, { 'user-agent': userAgent })

    expect(status).toBe(200)
    expect(await mailTo(zoe.email, 3)).toContain(client)
  })

  test('a security notice is in the chosen language even after the account is deleted', async () => {
    const zoe = aPerson()
    const sub = await signUp(pool, zoe)
    await pool.call('ConfirmSignUp', { Username: zoe.username, ConfirmationCode: await pool.readCode(zoe.email) })
    chosen.set(sub, 'es')

    await pool.identity.directory.remove(sub)

    expect(await mailTo(zoe.email, 2)).toContain('Se eliminaron tu cuenta y todos sus datos.')
  })
})
