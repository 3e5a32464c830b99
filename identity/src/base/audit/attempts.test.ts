import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { anAuthenticator } from '../../testing/authenticator.ts'
import { askForPasskey, startRegistration } from '../../testing/passkeys.ts'
import { aConfirmedUser, aPerson, beginSignIn, finishSignIn, signIn, trySignIn } from '../../testing/people.ts'
import { aUserWithApp, givePassword, mustSucceed, respond } from '../../testing/second-factors.ts'

const WRONG = 'Wr0ng-password'
const DAY_MS = 24 * 3600_000
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1'

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

  const eventsOf = async (sub: string) =>
    (await pool.identity.account.listEvents(sub, { before: undefined, limit: 50 })).map(
      ({ kind, times }) => [kind, times] as const,
    )

  // Evidence: asvs-16.3.1
  test('wrong passwords are recorded in one row with a count', async () => {
    const zoe = await aConfirmedUser(pool)
    await trySignIn(pool, zoe.email, WRONG)
    expect(await eventsOf(zoe.sub)).toEqual([
      ['wrong-password', 1],
      ['signed-up', 1],
    ])

    for (let guess = 0; guess < 3; guess += 1) await givePassword(pool, zoe.username, WRONG)
    clock.advance(60_000)
    const { AccessToken } = await signIn(pool, zoe)
    const change = { AccessToken, PreviousPassword: WRONG, ProposedPassword: 'An0ther-Passw0rd' }
    expect(await pool.call('ChangePassword', change)).toMatchObject({ status: 400 })

    // The row has the time and position of the last attempt.
    expect(await eventsOf(zoe.sub)).toEqual([
      ['wrong-password', 5],
      ['signed-in', 1],
      ['signed-up', 1],
    ])
    const [newest] = await pool.identity.account.listEvents(zoe.sub, { before: undefined, limit: 1 })
    expect(newest?.at).toBe(clock.now().toISOString())
  })

  test('days of concurrent guesses add only one row per day and kind', { tags: ['race'] }, async () => {
    const zoe = await aConfirmedUser(pool)
    const days = 3
    for (let day = 0; day < days; day += 1) {
      for (let round = 0; round < 4; round += 1) {
        await Promise.all(Array.from({ length: 8 }, async () => await givePassword(pool, zoe.email, WRONG)))
        clock.advance(16 * 60_000)
      }
      clock.advance(DAY_MS - 64 * 60_000)
    }

    const events = await eventsOf(zoe.sub)
    // Five of eight concurrent guesses are checked before the lock.
    expect(events.filter(([kind]) => kind === 'wrong-password')).toEqual(Array(days).fill(['wrong-password', 20]))
    expect(events.filter(([kind]) => kind === 'locked-out')).toEqual(Array(days).fill(['locked-out', 4]))
    expect(events).toHaveLength(2 * days + 1)
    expect(await pool.readMails(zoe.email)).toHaveLength(1)
  })

  // Evidence: asvs-16.3.1
  test('wrong codes from an app, a mail or a password reset are recorded', async () => {
    const zoe = await aUserWithApp(pool, () => clock.now())
    const asked = await givePassword(pool, zoe.email, zoe.password)
    await respond(pool, asked, { SOFTWARE_TOKEN_MFA_CODE: '000000' }, zoe.email)
    expect((await eventsOf(zoe.sub))[0]).toEqual(['wrong-code', 1])

    const AuthParameters = { USERNAME: zoe.email, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
    const mailed = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    await respond(pool, mailed, { EMAIL_OTP_CODE: 'none' }, zoe.email)
    expect((await eventsOf(zoe.sub))[0]).toEqual(['wrong-code', 2])

    const reset = { Username: zoe.email, ConfirmationCode: 'none', Password: 'An0ther-Passw0rd' }
    await pool.call('ConfirmForgotPassword', reset)
    await mustSucceed(pool, 'ForgotPassword', { Username: zoe.email })
    await pool.call('ConfirmForgotPassword', reset)
    expect((await eventsOf(zoe.sub))[0]).toEqual(['wrong-code', 4])
  })

  // Evidence: asvs-16.3.3
  test('too many wrong first-factor codes are recorded as a lockout of the user', async () => {
    const zoe = await aConfirmedUser(pool)
    const AuthParameters = { USERNAME: zoe.email, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
    const asked = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    for (let guess = 0; guess < 5; guess += 1) await respond(pool, asked, { EMAIL_OTP_CODE: '00000000' }, zoe.email)

    expect((await eventsOf(zoe.sub)).slice(0, 2)).toEqual([
      ['locked-out', 1],
      ['wrong-code', 5],
    ])
  })

  test('a rejected passkey is recorded', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    const options = await startRegistration(pool, AccessToken)
    const passkey = anAuthenticator()
    await mustSucceed(pool, 'CompleteWebAuthnRegistration', { AccessToken, Credential: passkey.create(options) })
    const other = anAuthenticator()
    other.create(options)
    const { answer } = await askForPasskey(pool, zoe.email)

    expect(await answer(other)).toMatchObject({ status: 400 })
    expect((await eventsOf(zoe.sub))[0]).toEqual(['wrong-passkey', 1])
  })

  test('an entry about failed attempts names the program, unless there were several', async () => {
    const zoe = await aConfirmedUser(pool)
    const guessWith = async (userAgent: string) => {
      const AuthParameters = { USERNAME: zoe.email, PASSWORD: WRONG }
      const { userPoolClientId: ClientId } = pool.identity.pool
      await pool.app.inject({
        method: 'POST',
        url: '/identity/',
        headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth', 'user-agent': userAgent },
        payload: JSON.stringify({ ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }),
      })
      const [newest] = await pool.identity.account.listEvents(zoe.sub, { before: undefined, limit: 1 })
      return newest?.client
    }

    expect(await guessWith(FIREFOX)).toBe('Firefox on Windows')
    expect(await guessWith(FIREFOX)).toBe('Firefox on Windows')
    expect(await guessWith(SAFARI)).toBe('')
    expect(await guessWith(SAFARI)).toBe('')
  })

  test('a replayed answer is not recorded as a guess', async () => {
    const zoe = await aConfirmedUser(pool)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)
    await finishSignIn(pool, answer)
    expect(await finishSignIn(pool, answer)).toMatchObject({ status: 400 })

    expect((await eventsOf(zoe.sub)).map(([kind]) => kind)).toEqual(['signed-in', 'signed-up'])
  })

  test('guesses at unknown names are removed after an hour, and guesses at users are kept', async () => {
    clock.advance(1_000)
    const at = clock.now().toISOString()
    const guessedAt = async () => {
      const database = useDatabase().withTables<{
        identity_security_event: { at: string; kind: string; sub: string }
      }>()
      const events = database.read.selectFrom('identity_security_event').select('sub')
      return (await events.where('kind', '=', 'wrong-password').where('at', '=', at).execute()).map(({ sub }) => sub)
    }
    const zoe = await aConfirmedUser(pool)
    for (const name of [zoe.email, aPerson().email, aPerson().username]) await givePassword(pool, name, WRONG)
    expect(await guessedAt()).toHaveLength(3)

    clock.advance(61 * 60_000)
    // A process sweeps when it starts.
    await (await aPool(useDatabase(), { clock, beside: pool })).close()
    expect(await guessedAt()).toEqual([zoe.sub])
  })
})
