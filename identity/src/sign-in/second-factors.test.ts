import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { aConfirmedUser, signIn, tokensOf, trySignIn } from '../testing/people.ts'
import { appCode, aUserWithApp, givePassword, mustSucceed, respond } from '../testing/second-factors.ts'

const STEP_MS = 30_000
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/gu)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}

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

  const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
  const MISMATCH = refusal('CodeMismatchException', 'Invalid code received for user')
  const SPENT = refusal('NotAuthorizedException', 'Invalid session for the user, session can only be used once.')

  async function aUserAtTheApp() {
    const user = await aUserWithApp(pool, () => clock.now())
    clock.advance(STEP_MS)
    const asked = await givePassword(pool, user.email, user.password)
    const answer = async (code: string) => await respond(pool, asked, { SOFTWARE_TOKEN_MFA_CODE: code }, user.email)
    return { user, asked, answer, now: () => appCode(user.secret, clock.now()) }
  }

  test('a user with an authenticator app signs in with an app code after the password, even over SRP', async () => {
    const { user, asked, answer, now } = await aUserAtTheApp()

    expect(asked).toMatchObject({
      status: 200,
      body: { ChallengeName: 'SOFTWARE_TOKEN_MFA', ChallengeParameters: { USER_ID_FOR_SRP: user.sub } },
    })
    expect((await trySignIn(pool, user.email, user.password)).body['ChallengeName']).toBe('SOFTWARE_TOKEN_MFA')
    expect(tokensOf(await answer(now())).AccessToken).toBeTypeOf('string')
  })

  // Evidence: asvs-6.4.3
  test('a password reset leaves the second factor on', async () => {
    const { user } = await aUserAtTheApp()
    await mustSucceed(pool, 'ForgotPassword', { Username: user.email })
    const ConfirmationCode = await pool.readCode(user.email, 2)
    await mustSucceed(pool, 'ConfirmForgotPassword', {
      Username: user.email,
      ConfirmationCode,
      Password: 'An0therPassword',
    })

    const asked = await givePassword(pool, user.email, 'An0therPassword')

    expect(asked.body).toMatchObject({ ChallengeName: 'SOFTWARE_TOKEN_MFA' })
    expect(asked.body['AuthenticationResult']).toBeUndefined()
  })

  test('a wrong code allows another try, and the right one signs in only once', async () => {
    const { answer, now } = await aUserAtTheApp()
    const wrong = now() === '000000' ? '111111' : '000000'

    expect(await answer(wrong)).toEqual(MISMATCH)
    expect(await answer(now())).toMatchObject({ status: 200 })
    clock.advance(STEP_MS)
    expect(await answer(now())).toEqual(SPENT)
  })

  // Evidence: asvs-6.5.1
  test('a used code is rejected in another sign-in', async () => {
    const { user, answer, now } = await aUserAtTheApp()
    await answer(now())

    const again = await givePassword(pool, user.email, user.password)
    const reply = await respond(pool, again, { SOFTWARE_TOKEN_MFA_CODE: now() }, user.email)

    expect(reply).toEqual(refusal('ExpiredCodeException', 'Your software token has already been used once.'))
  })

  test('one code used in four concurrent sign-ins signs in once', { tags: ['race'] }, async () => {
    const { user, now } = await aUserAtTheApp()
    const asked = await Promise.all(
      Array.from({ length: 4 }, async () => await givePassword(pool, user.email, user.password)),
    )
    const code = now()

    const replies = await Promise.all(
      asked.map(async (each) => await respond(pool, each, { SOFTWARE_TOKEN_MFA_CODE: code }, user.email)),
    )

    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  test('five wrong codes void the session and lock new sign-ins for a second', { tags: ['race'] }, async () => {
    const { user, answer, now } = await aUserAtTheApp()
    const wrong = now() === '000000' ? '111111' : '000000'

    const replies = await Promise.all(Array.from({ length: 20 }, async () => await answer(wrong)))

    expect(replies.filter((reply) => reply.body['__type'] === 'CodeMismatchException')).toHaveLength(5)
    expect(await answer(now())).toEqual(SPENT)
    const again = await givePassword(pool, user.email, user.password)
    const locked = await respond(pool, again, { SOFTWARE_TOKEN_MFA_CODE: now() }, user.email)
    expect(locked).toEqual(refusal('NotAuthorizedException', 'Password attempts exceeded'))
    clock.advance(1000)
    expect(await respond(pool, again, { SOFTWARE_TOKEN_MFA_CODE: now() }, user.email)).toMatchObject({ status: 200 })
  })

  test('an altered or expired session, or one of another user or challenge, is rejected', async () => {
    const { user, asked, now } = await aUserAtTheApp()
    const ann = await aConfirmedUser(pool)
    const session = String(asked.body['Session'])
    const middle = session.slice(0, 60) + (session[60] === 'A' ? 'B' : 'A') + session.slice(61)
    const code = { SOFTWARE_TOKEN_MFA_CODE: now() }
    const INVALID = refusal('NotAuthorizedException', 'Invalid session for the user.')

    const altered = { ...asked, body: { ...asked.body, Session: middle } }
    expect(await respond(pool, altered, code, user.email)).toEqual(INVALID)
    expect(await respond(pool, asked, code, ann.email)).toEqual(INVALID)
    const elsewhere = { ...asked, body: { ...asked.body, ChallengeName: 'EMAIL_OTP' } }
    expect(await respond(pool, elsewhere, { EMAIL_OTP_CODE: '12345678' }, user.email)).toEqual(INVALID)
    clock.advance(180_000)
    expect(await respond(pool, asked, { SOFTWARE_TOKEN_MFA_CODE: now() }, user.email)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session is expired.'),
    )
  })

  test('a password change ends a sign-in that waits for its second factor', async () => {
    const { user, answer, now } = await aUserAtTheApp()
    const { AccessToken } = user.tokens
    const change = { AccessToken, PreviousPassword: user.password, ProposedPassword: 'An0therPassword' }
    await mustSucceed(pool, 'ChangePassword', change)

    expect(await answer(now())).toEqual(refusal('NotAuthorizedException', 'Invalid session for the user.'))
  })

  // Evidence: asvs-6.5.1, asvs-6.5.4
  test('a code by mail has eight digits and works only once', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })

    const asked = await givePassword(pool, zoe.email, zoe.password)
    const code = await pool.readCode(zoe.email, 2)

    expect(asked.body).toMatchObject({
      ChallengeName: 'EMAIL_OTP',
      ChallengeParameters: { CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL', CODE_DELIVERY_DESTINATION: 'z***@e***' },
    })
    expect(code).toMatch(/^\d{8}$/u)
    expect(await respond(pool, asked, { EMAIL_OTP_CODE: '1' }, zoe.email)).toEqual(
      refusal('CodeMismatchException', 'Invalid code or auth state for the user.'),
    )
    expect(await respond(pool, asked, { EMAIL_OTP_CODE: code }, zoe.email)).toMatchObject({ status: 200 })
    const again = await givePassword(pool, zoe.email, zoe.password)
    expect(await respond(pool, again, { EMAIL_OTP_CODE: code }, zoe.email)).toMatchObject({ status: 400 })
  })

  // Evidence: asvs-6.5.5
  test('a code by mail expires after three minutes', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })
    const asked = await givePassword(pool, zoe.email, zoe.password)
    const code = await pool.readCode(zoe.email, 2)

    clock.advance(180_000)

    expect(await respond(pool, asked, { EMAIL_OTP_CODE: code }, zoe.email)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session is expired.'),
    )
  })

  // Evidence: asvs-6.6.1
  test('a code by text message is sent only to the verified number', async () => {
    const phone = '+4915112345678'
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    const enable = { AccessToken, SMSMfaSettings: { Enabled: true, PreferredMfa: true } }
    await mustSucceed(pool, 'UpdateUserAttributes', {
      AccessToken,
      UserAttributes: [{ Name: 'phone_number', Value: phone }],
    })
    expect(await pool.call('SetUserMFAPreference', enable)).toMatchObject({ status: 400 })

    const Code = await pool.readSmsCode(phone)
    await mustSucceed(pool, 'VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })
    await mustSucceed(pool, 'SetUserMFAPreference', enable)
    const asked = await givePassword(pool, zoe.email, zoe.password)

    expect(asked.body).toMatchObject({
      ChallengeName: 'SMS_MFA',
      ChallengeParameters: { CODE_DELIVERY_DELIVERY_MEDIUM: 'SMS', CODE_DELIVERY_DESTINATION: '+*********5678' },
    })
    const code = await pool.readSmsCode(phone, 2)
    expect(await respond(pool, asked, { SMS_MFA_CODE: code }, zoe.email)).toMatchObject({ status: 200 })
  })

  test('a user with two second factors chooses one, unless one is preferred', async () => {
    const user = await aUserWithApp(pool, () => clock.now())
    const { AccessToken } = user.tokens
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })

    const asked = await givePassword(pool, user.email, user.password)
    expect(asked.body).toMatchObject({
      ChallengeName: 'SELECT_MFA_TYPE',
      ChallengeParameters: { MFAS_CAN_CHOOSE: '["SOFTWARE_TOKEN_MFA","EMAIL_OTP"]' },
    })
    const chosen = await respond(pool, asked, { ANSWER: 'EMAIL_OTP' }, user.email)
    expect(chosen.body['ChallengeName']).toBe('EMAIL_OTP')
    const EMAIL_OTP_CODE = await pool.readCode(user.email, 2)
    expect(await respond(pool, chosen, { EMAIL_OTP_CODE }, user.email)).toMatchObject({ status: 200 })

    const prefer = { AccessToken, SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true } }
    await mustSucceed(pool, 'SetUserMFAPreference', prefer)
    const preferred = await givePassword(pool, user.email, user.password)
    expect(preferred.body['ChallengeName']).toBe('SOFTWARE_TOKEN_MFA')
    expect((await pool.call('GetUser', { AccessToken })).body).toMatchObject({
      PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA',
      UserMFASettingList: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
    })
  })

  test('an app cannot be enabled before its first right code', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    const enable = { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } }
    const verify = { AccessToken, UserCode: '000000' }

    expect(await pool.call('VerifySoftwareToken', verify)).toMatchObject({
      body: { __type: 'SoftwareTokenMFANotFoundException' },
    })
    const { body } = await mustSucceed(pool, 'AssociateSoftwareToken', { AccessToken })
    expect(body['SecretCode']).toMatch(/^[A-Z2-7]{32}$/u)
    const right = appCode(String(body['SecretCode']), clock.now())
    const UserCode = right === '000000' ? '111111' : '000000'
    expect(await pool.call('VerifySoftwareToken', { ...verify, UserCode })).toEqual(
      refusal('EnableSoftwareTokenMFAException', 'Code mismatch and fail enable Software Token MFA'),
    )
    expect(await pool.call('SetUserMFAPreference', enable)).toEqual(
      refusal('InvalidParameterException', 'User has not verified software token mfa'),
    )
  })

  test('a second app secret that is not yet verified leaves the first one valid', async () => {
    const { user, answer, now } = await aUserAtTheApp()
    await mustSucceed(pool, 'AssociateSoftwareToken', { AccessToken: user.tokens.AccessToken })

    expect(await answer(now())).toMatchObject({ status: 200 })
  })

  test('the secret of an app is stored only in encrypted form', async () => {
    const { user } = await aUserAtTheApp()

    const rows = await useDatabase()
      .withTables<{ identity_totp: { sub: string; secret_box: Uint8Array } }>()
      .read.selectFrom('identity_totp')
      .selectAll()
      .where('sub', '=', user.sub)
      .execute()

    expect(rows).toHaveLength(1)
    const secret = fromBase32(user.secret)
    expect(secret).toHaveLength(20)
    expect(Buffer.from(rows[0]?.secret_box ?? []).includes(secret)).toBe(false)
  })

  test('a code from a disabled app is no longer asked for', async () => {
    const { user } = await aUserAtTheApp()
    const { AccessToken } = user.tokens
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: false } })

    expect(tokensOf(await givePassword(pool, user.email, user.password)).AccessToken).toBeTypeOf('string')
  })

  test('a sign-in that waits for a second factor fails once that factor is replaced by another', async () => {
    const { user, answer, now } = await aUserAtTheApp()
    const { AccessToken } = user.tokens
    const change = async (app: boolean, mail: boolean) =>
      await mustSucceed(pool, 'SetUserMFAPreference', {
        AccessToken,
        SoftwareTokenMfaSettings: { Enabled: app },
        EmailMfaSettings: { Enabled: mail },
      })
    const INVALID = refusal('NotAuthorizedException', 'Invalid session for the user.')

    await change(false, true)
    expect(await answer(now())).toEqual(INVALID)
    const mailed = await givePassword(pool, user.email, user.password)
    const EMAIL_OTP_CODE = await pool.readCode(user.email, 2)
    await change(true, false)
    expect(await respond(pool, mailed, { EMAIL_OTP_CODE }, user.email)).toEqual(INVALID)
    const asked = await givePassword(pool, user.email, user.password)
    expect(await respond(pool, asked, { SOFTWARE_TOKEN_MFA_CODE: now() }, user.email)).toMatchObject({ status: 200 })
  })

  test('a second factor that is not set up cannot be enabled', async () => {
    const user = await aUserWithApp(pool, () => clock.now())
    const { AccessToken } = user.tokens
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })
    const asked = await givePassword(pool, user.email, user.password)

    expect(await respond(pool, asked, { ANSWER: 'SMS_MFA' }, user.email)).toMatchObject({
      body: { __type: 'MFAMethodNotFoundException' },
    })
    expect(await respond(pool, asked, { ANSWER: 'PASSWORD' }, user.email)).toMatchObject({ status: 400 })
  })

  test('only one second factor can be preferred, and it must be enabled', async () => {
    const { AccessToken } = (await aUserWithApp(pool, () => clock.now())).tokens
    const preferred = { Enabled: true, PreferredMfa: true }
    const two = { AccessToken, SoftwareTokenMfaSettings: preferred, EmailMfaSettings: preferred }
    const off = { AccessToken, EmailMfaSettings: { Enabled: false, PreferredMfa: true } }

    expect(await pool.call('SetUserMFAPreference', two)).toMatchObject({ status: 400 })
    expect(await pool.call('SetUserMFAPreference', off)).toMatchObject({ status: 400 })
  })

  test('codes by mail are limited per hour, since each sign-in sends one', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })
    for (let time = 1; time <= 15; time += 1) await givePassword(pool, zoe.email, zoe.password)

    expect(await givePassword(pool, zoe.email, zoe.password)).toEqual(
      refusal('TooManyRequestsException', 'Attempt limit exceeded, please try after some time.'),
    )
  })

  test('sign-ins ask for no second factor while second factors are disabled, and users cannot set one up', async () => {
    const user = await aUserWithApp(pool, () => clock.now())
    const without = await aPool(useDatabase(), { clock, beside: pool, settings: { mfa: 'off' } })
    const zoe = await aConfirmedUser(without)
    const { AccessToken } = await signIn(without, zoe)
    const enable = { AccessToken, EmailMfaSettings: { Enabled: true } }

    const reply = await givePassword(without, user.email, user.password)
    const refused = await without.call('SetUserMFAPreference', enable)
    await without.close()

    expect(tokensOf(reply).AccessToken).toBeTypeOf('string')
    expect(refused).toEqual(refusal('InvalidParameterException', 'User pool does not have MFA enabled.'))
  })

  test('an answer without a session or code gets an error that names the missing parameter', async () => {
    const { user, asked } = await aUserAtTheApp()
    const bare = { ...asked, body: { ChallengeName: 'SOFTWARE_TOKEN_MFA' } }
    const missing = (name: string) => refusal('InvalidParameterException', `Missing required parameter ${name}`)

    expect(await respond(pool, bare, { SOFTWARE_TOKEN_MFA_CODE: '123456' }, user.email)).toEqual(missing('Session'))
    expect(await respond(pool, asked, {}, user.email)).toEqual(missing('SOFTWARE_TOKEN_MFA_CODE'))
  })
})
