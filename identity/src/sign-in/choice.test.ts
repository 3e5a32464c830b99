import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { anAuthenticator } from '../testing/authenticator.ts'
import { askForPasskey, startRegistration } from '../testing/passkeys.ts'
import { aConfirmedUser, aPerson, type Reply, signIn, signUp } from '../testing/people.ts'
import { type Challenge, srpClient } from '../testing/srp-client.ts'
import { appCode, aUserWithApp, mustSucceed, respond } from '../testing/second-factors.ts'

const STEP_MS = 30_000
const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
const WRONG = refusal('NotAuthorizedException', 'Incorrect username or password.')
const SIGNED_IN = { status: 200, body: { AuthenticationResult: { TokenType: 'Bearer' } } }

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

  const begin = async (USERNAME: string, more: Record<string, string> = {}, Session?: unknown) =>
    await pool.call('InitiateAuth', {
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME, ...more },
      ...(Session !== undefined && { Session }),
    })
  const prefer = async (USERNAME: string, PREFERRED_CHALLENGE: string, more: Record<string, string> = {}) =>
    await begin(USERNAME, { PREFERRED_CHALLENGE, ...more })
  const parametersOf = ({ body }: Reply) => body['ChallengeParameters'] as Record<string, string>

  test('a sign-in with no preferred factor, or an unavailable one, is offered a choice of factors', async () => {
    const zoe = await aConfirmedUser(pool)
    const choice = {
      ChallengeName: 'SELECT_CHALLENGE',
      AvailableChallenges: ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP'],
      ChallengeParameters: {},
      Session: expect.any(String) as string,
    }

    expect(await begin(zoe.email)).toEqual({ status: 200, body: choice })
    expect(await prefer(zoe.email, 'WEB_AUTHN')).toEqual({ status: 200, body: choice })
    expect(await prefer(zoe.email, 'SMS_OTP')).toEqual({ status: 200, body: choice })
    expect(await prefer(zoe.email, '__proto__')).toEqual({ status: 200, body: choice })
  })

  test('a sign-in without a username is rejected with the name of the missing parameter', async () => {
    for (const AuthFlow of ['USER_AUTH', 'USER_SRP_AUTH', 'USER_PASSWORD_AUTH']) {
      expect(await pool.call('InitiateAuth', { AuthFlow })).toEqual(
        refusal('InvalidParameterException', 'Missing required parameter USERNAME'),
      )
    }
  })

  test('a password sent with the first call signs in at once, and a wrong one is rejected and counted', async () => {
    const zoe = await aConfirmedUser(pool)

    expect(await prefer(zoe.email, 'PASSWORD', { PASSWORD: zoe.password })).toMatchObject(SIGNED_IN)
    for (let time = 1; time <= 5; time += 1) {
      expect(await prefer(zoe.email, 'PASSWORD', { PASSWORD: 'Wr0ngPassword' })).toEqual(WRONG)
    }
    expect(await prefer(zoe.email, 'PASSWORD', { PASSWORD: zoe.password })).toEqual(
      refusal('NotAuthorizedException', 'Password attempts exceeded'),
    )
  })

  test('a password that was not sent is asked for, and can be sent again after a wrong one', async () => {
    const zoe = await aConfirmedUser(pool)
    const asked = await prefer(zoe.email, 'PASSWORD')
    expect(asked.body).toMatchObject({ ChallengeName: 'PASSWORD', AvailableChallenges: ['PASSWORD'] })

    expect(await respond(pool, asked, { PASSWORD: 'Wr0ngPassword' }, zoe.email)).toEqual(WRONG)
    expect(await respond(pool, asked, { PASSWORD: zoe.password }, zoe.email)).toMatchObject(SIGNED_IN)
  })

  test('the answer to the choice of factors can include the password', async () => {
    const zoe = await aConfirmedUser(pool)
    const choice = await begin(zoe.email)

    expect(await respond(pool, choice, { ANSWER: 'WEB_AUTHN' }, zoe.email)).toMatchObject({ status: 400 })
    const wrong = { ANSWER: 'PASSWORD', PASSWORD: 'Wr0ngPassword' }
    expect(await respond(pool, choice, wrong, zoe.email)).toEqual(WRONG)
    const right = { ANSWER: 'PASSWORD', PASSWORD: zoe.password }
    expect(await respond(pool, choice, right, zoe.email)).toMatchObject(SIGNED_IN)
    expect(await respond(pool, choice, right, zoe.email)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session can only be used once.'),
    )
  })

  test('the proof of PASSWORD_SRP requires the session of its challenge', async () => {
    const zoe = await aConfirmedUser(pool)
    const client = srpClient(pool.identity.pool.userPoolId)
    const choose = async (choice: Reply) =>
      await respond(pool, choice, { ANSWER: 'PASSWORD_SRP', SRP_A: client.A }, zoe.email)
    const ways = [
      await prefer(zoe.email, 'PASSWORD_SRP', { SRP_A: client.A }),
      await choose(await begin(zoe.email)),
      await respond(pool, await prefer(zoe.email, 'PASSWORD_SRP'), { SRP_A: client.A }, zoe.email),
    ]

    const other = await aConfirmedUser(pool)
    const foreign = await prefer(other.email, 'PASSWORD_SRP', { SRP_A: client.A })
    for (const asked of ways) {
      expect(asked.body).toMatchObject({ ChallengeName: 'PASSWORD_VERIFIER' })
      const answer = client.answer(parametersOf(asked) as Challenge, zoe.password)
      const proof = { ...asked, body: { ...asked.body, Session: undefined } }
      const stolen = { ...asked, body: { ...asked.body, Session: foreign.body['Session'] } }
      expect(await respond(pool, proof, answer, zoe.email)).toEqual(
        refusal('InvalidParameterException', 'Missing required parameter Session'),
      )
      expect(await respond(pool, stolen, answer, zoe.email)).toMatchObject({ status: 400 })
      expect(await respond(pool, asked, answer, zoe.email)).toMatchObject(SIGNED_IN)
      expect(await respond(pool, asked, answer, zoe.email)).toMatchObject({ status: 400 })
    }
  })

  // Evidence: asvs-6.5.1, asvs-6.5.4
  test('a code by mail has eight digits and signs in once', async () => {
    const zoe = await aConfirmedUser(pool)
    const asked = await prefer(zoe.username, 'EMAIL_OTP')
    expect(asked.body).toMatchObject({
      ChallengeName: 'EMAIL_OTP',
      AvailableChallenges: ['EMAIL_OTP'],
      ChallengeParameters: { CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL', CODE_DELIVERY_DESTINATION: 'z***@e***' },
    })
    const EMAIL_OTP_CODE = await pool.readCode(zoe.email, 2)
    expect(EMAIL_OTP_CODE).toMatch(/^\d{8}$/u)
    const wrong = String((Number(EMAIL_OTP_CODE) + 1) % 1e8).padStart(8, '0')

    expect(await respond(pool, asked, { EMAIL_OTP_CODE: wrong }, zoe.username)).toEqual(
      refusal('CodeMismatchException', 'Invalid code or auth state for the user.'),
    )
    expect(await respond(pool, asked, { EMAIL_OTP_CODE }, zoe.username)).toMatchObject(SIGNED_IN)
    const again = await prefer(zoe.username, 'EMAIL_OTP')
    expect(await respond(pool, again, { EMAIL_OTP_CODE }, zoe.username)).toMatchObject({ status: 400 })
  })

  // Evidence: asvs-6.3.4
  test('a user with an authenticator app needs an app code after the code by mail', async () => {
    const zoe = await aUserWithApp(pool, clock.now)
    clock.advance(STEP_MS)
    const mailed = await prefer(zoe.email, 'EMAIL_OTP')
    const EMAIL_OTP_CODE = await pool.readCode(zoe.email, 2)

    const asked = await respond(pool, mailed, { EMAIL_OTP_CODE }, zoe.email)

    expect(asked.body).toMatchObject({ ChallengeName: 'SOFTWARE_TOKEN_MFA' })
    const code = { SOFTWARE_TOKEN_MFA_CODE: appCode(zoe.secret, clock.now()) }
    expect(await respond(pool, asked, code, zoe.email)).toMatchObject(SIGNED_IN)
  })

  test.each(['mail', 'text message'])(
    'a code by %s does not count as both factors, so the app or the password is still required',
    async (way) => {
      const isMail = way === 'mail'
      const zoe = await aUserWithApp(pool, clock.now)
      const { AccessToken } = zoe.tokens
      const phone = `+49151${String(Math.floor(clock.now().getTime() / 1000)).slice(-8)}`
      if (!isMail) {
        const UserAttributes = [{ Name: 'phone_number', Value: phone }]
        await mustSucceed(pool, 'UpdateUserAttributes', { AccessToken, UserAttributes })
        const Code = await pool.readSmsCode(phone)
        await mustSucceed(pool, 'VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })
      }
      const byCode = isMail ? 'EmailMfaSettings' : 'SMSMfaSettings'
      await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, [byCode]: { Enabled: true } })
      let sent = 1
      const signInByCode = async () => {
        sent += 1
        const asked = await prefer(zoe.email, isMail ? 'EMAIL_OTP' : 'SMS_OTP')
        const code = isMail ? await pool.readCode(zoe.email, sent) : await pool.readSmsCode(phone, sent)
        return await respond(pool, asked, { [isMail ? 'EMAIL_OTP_CODE' : 'SMS_OTP_CODE']: code }, zoe.email)
      }

      expect((await signInByCode()).body).toMatchObject({ ChallengeName: 'SOFTWARE_TOKEN_MFA' })
      await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: false } })
      expect(await signInByCode()).toEqual(refusal('MFAMethodNotFoundException', 'Sign in with your password.'))
    },
  )

  test('an attacker who guesses first-factor codes does not block the second factor by mail', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })
    const asked = await prefer(zoe.email, 'PASSWORD', { PASSWORD: zoe.password })
    const EMAIL_OTP_CODE = await pool.readCode(zoe.email, 2)

    for (let time = 1; time <= 10; time += 1) {
      const guessing = await prefer(zoe.email, 'EMAIL_OTP')
      await respond(pool, guessing, { EMAIL_OTP_CODE: '00000000' }, zoe.email)
    }
    expect(await prefer(zoe.email, 'EMAIL_OTP')).toMatchObject({ body: { __type: 'TooManyRequestsException' } })
    expect(await respond(pool, asked, { EMAIL_OTP_CODE }, zoe.email)).toMatchObject(SIGNED_IN)
  })

  // Evidence: asvs-6.6.2
  test('a first-factor code is not accepted as a second factor', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })
    await prefer(zoe.email, 'EMAIL_OTP')
    const first = await pool.readCode(zoe.email, 2)

    const asked = await prefer(zoe.email, 'PASSWORD', { PASSWORD: zoe.password })

    expect(await respond(pool, asked, { EMAIL_OTP_CODE: first }, zoe.email)).toMatchObject({
      body: { __type: 'CodeMismatchException' },
    })
  })

  test('an unknown name is offered the factors of a real user, and the same ones every time', async () => {
    const shapes = new Set<string>()
    for (let count = 1; count <= 40; count += 1) {
      const name = `unknown.${count}@example.com`
      const [first, second] = [await begin(name), await begin(` ${name.toUpperCase()}`)]
      expect(second.body['AvailableChallenges']).toEqual(first.body['AvailableChallenges'])
      shapes.add(String(first.body['AvailableChallenges']))
    }
    // Some unknown names seem to have passkeys, as some users do.
    expect([...shapes]).toEqual(
      expect.arrayContaining(['PASSWORD,PASSWORD_SRP,EMAIL_OTP', 'PASSWORD,PASSWORD_SRP,EMAIL_OTP,WEB_AUTHN']),
    )
  })

  test('every challenge of an unknown name has the shape of a real one and cannot be answered', async () => {
    const zoe = await aConfirmedUser(pool, { email: `zoe.${clock.now().getTime()}.1234567890@example.com` })
    const { AccessToken } = await signIn(pool, zoe)
    const passkey = anAuthenticator()
    const Credential = passkey.create(await startRegistration(pool, AccessToken))
    await mustSucceed(pool, 'CompleteWebAuthnRegistration', { AccessToken, Credential })
    const unknownName = await unknownWith('WEB_AUTHN', zoe.email.length)
    const client = srpClient(pool.identity.pool.userPoolId)
    const lengths = ({ body }: Reply) => JSON.stringify(body).length

    for (const [factor, along] of [
      ['PASSWORD', {}],
      ['PASSWORD_SRP', {}],
      ['EMAIL_OTP', {}],
      ['WEB_AUTHN', {}],
    ] as const) {
      const [known, unknown] = [await prefer(zoe.email, factor, along), await prefer(unknownName, factor, along)]
      expect(Object.keys(unknown.body)).toEqual(Object.keys(known.body))
      expect(Object.keys(parametersOf(unknown))).toEqual(Object.keys(parametersOf(known)))
      expect(lengths(unknown)).toBe(lengths(known))
    }
    const choose = async (ANSWER: string, along: Record<string, string>) =>
      await respond(pool, await begin(unknownName), { ANSWER, ...along }, unknownName)
    expect(await choose('PASSWORD', { PASSWORD: 'Passw0rdX' })).toEqual(WRONG)
    const verifier = await choose('PASSWORD_SRP', { SRP_A: client.A })
    const proof = client.answer(parametersOf(verifier) as Challenge, 'Passw0rdX')
    expect(await respond(pool, verifier, proof, unknownName)).toEqual(WRONG)
    expect((await choose('EMAIL_OTP', {})).body).toMatchObject({ ChallengeName: 'EMAIL_OTP' })
    const code = await respond(
      pool,
      await prefer(unknownName, 'EMAIL_OTP'),
      { EMAIL_OTP_CODE: '12345678' },
      unknownName,
    )
    expect(code).toEqual(refusal('CodeMismatchException', 'Invalid code or auth state for the user.'))
    const { options, answer } = await askForPasskey(pool, unknownName)
    const again = await askForPasskey(pool, unknownName)
    expect(again.options.allowCredentials).toEqual(options.allowCredentials)
    expect(await answer(anAuthenticator())).toEqual(WRONG)
    expect(await pool.readMails(unknownName)).toEqual([])
  })

  async function unknownWith(factor: string, length: number): Promise<string> {
    for (let count = 0; ; count += 1) {
      const name = `unknown.${count}.`
      const email = `${name.padEnd(length - '@example.com'.length, 'x')}@example.com`
      const { body } = await begin(email)
      if (String(body['AvailableChallenges']) === `PASSWORD,PASSWORD_SRP,EMAIL_OTP,${factor}`) return email
    }
  }

  test('an unconfirmed user is offered a code by mail like other users, but none is sent', async () => {
    const person = aPerson()
    await signUp(pool, person)
    await pool.readCode(person.email)

    const { body } = await begin(person.email)
    expect(body['AvailableChallenges']).toContain('EMAIL_OTP')
    expect(await prefer(person.email, 'EMAIL_OTP')).toMatchObject({ status: 200 })
    expect(await prefer(person.email, 'PASSWORD', { PASSWORD: person.password })).toEqual(
      refusal('UserNotConfirmedException', 'User is not confirmed.'),
    )
    expect(await pool.readMails(person.email)).toHaveLength(1)
  })

  async function confirmSignUp() {
    const person = aPerson()
    await signUp(pool, person)
    const ConfirmationCode = await pool.readCode(person.email)
    const { body } = await mustSucceed(pool, 'ConfirmSignUp', { Username: person.username, ConfirmationCode })
    return { ...person, session: String(body['Session']) }
  }

  test('the session of a confirmed sign-up signs in once, within three minutes', { tags: ['race'] }, async () => {
    const zoe = await confirmSignUp()
    const INVALID = refusal('NotAuthorizedException', 'Invalid session for the user.')
    const other = await aConfirmedUser(pool)

    expect(await begin(other.username, {}, zoe.session)).toEqual(INVALID)
    expect(await begin('unknown@example.com', {}, zoe.session)).toEqual(INVALID)
    expect(await begin(zoe.username, {}, `${zoe.session.slice(0, -8)}AAAAAAAA`)).toEqual(INVALID)
    const replies = await Promise.all([1, 2, 3].map(async () => await begin(zoe.username, {}, zoe.session)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)

    const late = await confirmSignUp()
    clock.advance(3 * 60_000)
    expect(await begin(late.username, {}, late.session)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session is expired.'),
    )
  })

  test('the session of a confirmed sign-up and the session of a challenge cannot replace each other', async () => {
    const zoe = await confirmSignUp()
    const asked = await begin(zoe.email)

    const swapped = { ...asked, body: { ...asked.body, Session: zoe.session } }
    expect(await respond(pool, swapped, { ANSWER: 'EMAIL_OTP' }, zoe.email)).toMatchObject({ status: 400 })
    expect(await begin(zoe.email, {}, asked.body['Session'])).toMatchObject({ status: 400 })
  })

  test('a password reset voids the session of a confirmed sign-up', async () => {
    const zoe = await confirmSignUp()
    await mustSucceed(pool, 'ForgotPassword', { Username: zoe.email })
    const ConfirmationCode = await pool.readCode(zoe.email, 2)
    const reset = { Username: zoe.email, ConfirmationCode, Password: 'An0therPassword' }
    await mustSucceed(pool, 'ConfirmForgotPassword', reset)

    expect(await begin(zoe.username, {}, zoe.session)).toMatchObject({ status: 400 })
  })
})
