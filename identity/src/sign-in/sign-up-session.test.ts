import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WITHIN } from '@marquee/platform/testing/within'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { aPerson, type Person, signIn } from '../testing/people.ts'
import { mustSucceed } from '../testing/second-factors.ts'

const MINUTE_MS = 60_000
const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
const INVALID = refusal('NotAuthorizedException', 'Invalid session for the user.')
const SIGNED_IN = { status: 200, body: { AuthenticationResult: { TokenType: 'Bearer' } } }

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let linking: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock })
    let codes = 0
    const random = { ...systemRandom, below: (limit: number) => (codes += 1) % limit }
    linking = await aPool(useDatabase(), { clock, beside: pool, settings: { verification: 'link', random } })
  })
  afterAll(async () => {
    await linking.close()
    await pool.close()
  })

  const signUp = async (at: RunningPool, { username, email, password }: Person = aPerson()) => {
    const UserAttributes = [{ Name: 'email', Value: email }]
    const { body } = await mustSucceed(at, 'SignUp', { Username: username, Password: password, UserAttributes })
    return { username, email, password, session: String(body['Session']) }
  }
  const confirm = async (Username: string, ConfirmationCode: string, more: object = {}) =>
    await pool.call('ConfirmSignUp', { Username, ConfirmationCode, ...more })
  const begin = async (USERNAME: string, Session: unknown) =>
    await pool.call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters: { USERNAME }, Session })
  /** The parameters of the link in the mail. */
  const readLink = async (email: string, count = 1) =>
    await vi.waitFor(async () => {
      const mails = await linking.readMails(email)
      const link = /^https:\/\/marquee\.example\/auth\/confirm#(\S+)$/mu.exec(mails[count - 1] ?? '')?.[1]
      if (link === undefined) throw new Error(`There is no mail number ${count} with a link`)
      return Object.fromEntries(new URLSearchParams(link)) as { username: string; code: string }
    }, WITHIN)

  test('ConfirmSignUp accepts the session of SignUp and returns one that signs in without a password', async () => {
    const zoe = await signUp(pool)
    const code = await pool.readCode(zoe.email)

    const confirmed = await confirm(zoe.username, code, { Session: zoe.session })

    expect(zoe.session.length).toBeGreaterThan(20)
    expect(confirmed).toEqual({ status: 200, body: { Session: expect.any(String) as string } })
    expect(await begin(zoe.username, confirmed.body['Session'])).toMatchObject(SIGNED_IN)
  })

  test('ConfirmSignUp rejects an altered session or one of another user without counting an attempt', async () => {
    const [zoe, eve] = [await signUp(pool), await signUp(pool)]
    const code = await pool.readCode(zoe.email)

    for (const Session of [eve.session, `${zoe.session.slice(0, -8)}AAAAAAAA`, 'x'.repeat(20)]) {
      expect(await confirm(zoe.username, code, { Session })).toEqual(INVALID)
    }
    expect(await confirm('unknown', code, { Session: zoe.session })).toEqual(INVALID)
    expect(await confirm(zoe.username, code, { Session: zoe.session })).toMatchObject({ status: 200 })
  })

  test('ConfirmSignUp accepts an expired session, since a code is valid for a day', async () => {
    const zoe = await signUp(pool)
    const code = await pool.readCode(zoe.email)
    clock.advance(20 * MINUTE_MS)

    expect(await confirm(zoe.username, code, { Session: zoe.session })).toMatchObject({ status: 200 })
  })

  test('the session of SignUp signs in once within three minutes, after the account is confirmed elsewhere', async () => {
    const [zoe, late] = [await signUp(pool), await signUp(pool)]

    const before = await begin(zoe.username, zoe.session)
    await confirm(zoe.username, await pool.readCode(zoe.email))
    await confirm(late.username, await pool.readCode(late.email))

    expect(before).toEqual(refusal('UserNotConfirmedException', 'User is not confirmed.'))
    expect(await begin(zoe.username, zoe.session)).toMatchObject(SIGNED_IN)
    expect(await begin(zoe.username, zoe.session)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session can only be used once.'),
    )
    clock.advance(3 * MINUTE_MS)
    expect(await begin(late.username, late.session)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session is expired.'),
    )
  })

  test('a mailed link contains the username and the code that ConfirmSignUp accepts', async () => {
    const zoe = await signUp(linking)

    const link = await readLink(zoe.email)

    expect(link).toEqual({ username: zoe.username, code: expect.stringMatching(/^\d{6}$/u) as string })
    const [mail = ''] = await linking.readMails(zoe.email)
    expect(mail).toContain('Subject: Confirm your e-mail address for Marquee\n')
    expect(mail).toContain('It is valid for 24 hours.')
    expect(await confirm(link.username, link.code)).toMatchObject({ status: 200 })
    expect(await signIn(pool, zoe)).toHaveProperty('AccessToken')
  })

  test('a link is void after a newer one, five wrong codes or a day', async () => {
    const [zoe, eve, late] = [await signUp(linking), await signUp(linking), await signUp(linking)]
    const old = await readLink(zoe.email)
    await mustSucceed(linking, 'ResendConfirmationCode', { Username: zoe.username })
    const link = await readLink(zoe.email, 2)
    const guessed = await readLink(eve.email)
    const lost = await readLink(late.email)
    for (let n = 0; n < 5; n += 1) await confirm(eve.username, 'wrong')

    const MISMATCH = refusal('CodeMismatchException', 'Invalid verification code provided, please try again.')
    expect(await confirm(old.username, old.code)).toEqual(MISMATCH)
    expect(await confirm(link.username, link.code)).toMatchObject({ status: 200 })
    expect(await confirm(link.username, link.code)).toEqual(
      refusal('NotAuthorizedException', 'User cannot be confirmed. Current status is CONFIRMED'),
    )
    expect(await confirm(guessed.username, guessed.code)).toEqual(MISMATCH)
    clock.advance(24 * 60 * MINUTE_MS)
    expect(await confirm(lost.username, lost.code)).toEqual(
      refusal('ExpiredCodeException', 'Invalid code provided, please request a code again.'),
    )
  })
})
