import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { startRegistration } from '../../testing/passkeys.ts'
import { aConfirmedUser, aPerson, type Person, signIn, signUp, trySignIn } from '../../testing/people.ts'
import { aUserWithApp, givePassword, mustSucceed, respond } from '../../testing/second-factors.ts'

const HOUR_MS = 3600_000

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  const deleted: string[] = []
  const announced: string[] = []
  let mayDelete = true
  beforeAll(async () => {
    clock = testClock()
    const onUserDeleted = async (_trx: unknown, sub: string) => {
      await Promise.resolve()
      if (!mayDelete) throw new Error('The product data could not be removed')
      deleted.push(sub)
      return () => announced.push(sub)
    }
    pool = await aPool(useDatabase(), { clock, settings: { onUserDeleted } })
  })
  afterAll(async () => {
    await pool.close()
  })

  const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
  const LIMIT = refusal('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
  /** For operations that have no LimitExceededException in Amazon's model. */
  const TOO_MANY = refusal('TooManyRequestsException', 'Attempt limit exceeded, please try after some time.')

  async function aSignedInUser(): Promise<Person & { sub: string; AccessToken: string }> {
    const person = await aConfirmedUser(pool)
    return { ...person, AccessToken: (await signIn(pool, person)).AccessToken }
  }

  async function askForEmail(AccessToken: string, email: string) {
    const UserAttributes = [{ Name: 'email', Value: email }]
    return await pool.call('UpdateUserAttributes', { AccessToken, UserAttributes })
  }

  async function proveEmail(AccessToken: string, Code: string) {
    return await pool.call('VerifyUserAttribute', { AccessToken, AttributeName: 'email', Code })
  }

  async function attributesOf(AccessToken: string): Promise<Record<string, string>> {
    const { body } = await pool.call('GetUser', { AccessToken })
    const attributes = body['UserAttributes'] as { Name: string; Value: string }[]
    return Object.fromEntries(attributes.map(({ Name, Value }) => [Name, Value]))
  }

  test('a new address replaces the old one once it is verified', async () => {
    const zoe = await aSignedInUser()
    const { email } = aPerson()

    expect(await askForEmail(zoe.AccessToken, email)).toEqual({
      status: 200,
      body: {
        CodeDeliveryDetailsList: [{ AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'z***@e***' }],
      },
    })
    expect(await attributesOf(zoe.AccessToken)).toMatchObject({ email: zoe.email, email_verified: 'true' })
    expect(await trySignIn(pool, email, zoe.password)).toMatchObject({ status: 400 })
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })

    const code = await pool.readCode(email)
    expect(await proveEmail(zoe.AccessToken, code === '111111' ? '222222' : '111111')).toMatchObject({
      body: { __type: 'CodeMismatchException' },
    })
    expect(await proveEmail(zoe.AccessToken, code)).toEqual({ status: 200, body: {} })
    expect(await attributesOf(zoe.AccessToken)).toMatchObject({ email, email_verified: 'true' })
    expect(await trySignIn(pool, email, zoe.password)).toMatchObject({ status: 200 })
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 400 })
  })

  test('one of two users who verify the same address concurrently succeeds', { tags: ['race'] }, async () => {
    const [zoe, ann] = [await aSignedInUser(), await aSignedInUser()]
    const { email } = aPerson()
    await askForEmail(zoe.AccessToken, email)
    const first = await pool.readCode(email, 1)
    await askForEmail(ann.AccessToken, email)
    const second = await pool.readCode(email, 2)

    const replies = await Promise.all([proveEmail(zoe.AccessToken, first), proveEmail(ann.AccessToken, second)])

    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies).toContainEqual(refusal('AliasExistsException', 'An account with the email already exists.'))
  })

  test('a taken address is reported only to a user who enters the code from its mailbox', async () => {
    const zoe = await aSignedInUser()
    const ann = await aConfirmedUser(pool)

    expect(await askForEmail(zoe.AccessToken, ann.email)).toMatchObject({ status: 200 })
    expect(await proveEmail(zoe.AccessToken, await pool.readCode(ann.email, 2))).toMatchObject({
      body: { __type: 'AliasExistsException' },
    })
  })

  test('a reset code sent to the old address is void after the change', async () => {
    const zoe = await aSignedInUser()
    const { email } = aPerson()
    await mustSucceed(pool, 'ForgotPassword', { Username: zoe.email })
    const ConfirmationCode = await pool.readCode(zoe.email, 2)
    await askForEmail(zoe.AccessToken, email)
    await proveEmail(zoe.AccessToken, await pool.readCode(email))

    const reset = { Username: zoe.username, ConfirmationCode, Password: 'An0therPassword' }
    expect(await pool.call('ConfirmForgotPassword', reset)).toMatchObject({ body: { __type: 'ExpiredCodeException' } })
  })

  test.each(['changed', 'deleted'])(
    'a sign-in that waits for a code by text message fails once the number is %s',
    async (how) => {
      const [phone, other] = how === 'changed' ? ['+4915112341111', '+4915112342222'] : ['+4915112343333', '']
      const zoe = await aSignedInUser()
      const { AccessToken } = zoe
      const has = async (number: string) => {
        const UserAttributes = [{ Name: 'phone_number', Value: number }]
        await mustSucceed(pool, 'UpdateUserAttributes', { AccessToken, UserAttributes })
        if (number === '') return
        const Code = await pool.readSmsCode(number)
        await mustSucceed(pool, 'VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })
      }
      await has(phone)
      await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, SMSMfaSettings: { Enabled: true } })
      const AuthParameters = { USERNAME: zoe.username, PREFERRED_CHALLENGE: 'SMS_OTP' }
      const first = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
      const SMS_OTP_CODE = await pool.readSmsCode(phone, 2)
      const second = await givePassword(pool, zoe.username, zoe.password)
      const SMS_MFA_CODE = await pool.readSmsCode(phone, 3)

      await has(other)

      const refused = refusal('CodeMismatchException', 'Invalid code or auth state for the user.')
      expect(await respond(pool, first, { SMS_OTP_CODE }, zoe.username)).toEqual(refused)
      const unasked = refusal('NotAuthorizedException', 'Invalid session for the user.')
      expect(await respond(pool, second, { SMS_MFA_CODE }, zoe.username)).toEqual(other === '' ? unasked : refused)
    },
  )

  test('a sign-in with a code sent to the old address fails after the change', async () => {
    const zoe = await aSignedInUser()
    const { email } = aPerson()
    const AuthParameters = { USERNAME: zoe.username, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
    const asked = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    const EMAIL_OTP_CODE = await pool.readCode(zoe.email, 2)
    await askForEmail(zoe.AccessToken, email)
    await proveEmail(zoe.AccessToken, await pool.readCode(email))

    expect(await respond(pool, asked, { EMAIL_OTP_CODE }, zoe.username)).toEqual(
      refusal('CodeMismatchException', 'Invalid code or auth state for the user.'),
    )
  })

  test('a user can request another code five times an hour, and each voids the previous one', async () => {
    const zoe = await aSignedInUser()
    const { email } = aPerson()
    const again = { AccessToken: zoe.AccessToken, AttributeName: 'email' }
    await askForEmail(zoe.AccessToken, email)
    const first = await pool.readCode(email)

    for (let time = 1; time <= 5; time += 1) await mustSucceed(pool, 'GetUserAttributeVerificationCode', again)

    expect(await pool.call('GetUserAttributeVerificationCode', again)).toEqual(LIMIT)
    const last = await pool.readCode(email, 6)
    const isFirstGood = first === last ? false : (await proveEmail(zoe.AccessToken, first)).status === 200
    expect(isFirstGood).toBe(false)
    expect(await proveEmail(zoe.AccessToken, last)).toEqual({ status: 200, body: {} })
  })

  test('a phone number can be added, verified, read from the id token and deleted', async () => {
    const phone = '+4915112340000'
    const zoe = await aSignedInUser()
    const { AccessToken } = zoe
    const UserAttributes = [{ Name: 'phone_number', Value: phone }]
    await mustSucceed(pool, 'UpdateUserAttributes', { AccessToken, UserAttributes })
    expect(await attributesOf(AccessToken)).not.toHaveProperty('phone_number')
    const Code = await pool.readSmsCode(phone)
    await mustSucceed(pool, 'VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })

    expect(await attributesOf(AccessToken)).toMatchObject({ phone_number: phone, phone_number_verified: 'true' })
    const { IdToken } = await signIn(pool, zoe)
    const claims: unknown = JSON.parse(Buffer.from(IdToken.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ phone_number: phone, phone_number_verified: true })
    await mustSucceed(pool, 'DeleteUserAttributes', { AccessToken, UserAttributeNames: ['phone_number'] })
    expect(await attributesOf(AccessToken)).not.toHaveProperty('phone_number')
  })

  async function aUserWithPhone(number: string) {
    const zoe = await aSignedInUser()
    const { AccessToken } = zoe
    const verify = async (count = 1) => {
      const Code = await pool.readSmsCode(number, count)
      await mustSucceed(pool, 'VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })
    }
    const UserAttributes = [{ Name: 'phone_number', Value: number }]
    await mustSucceed(pool, 'UpdateUserAttributes', { AccessToken, UserAttributes })
    await verify()
    return { ...zoe, verify }
  }

  test('a repeated verification of an address or number succeeds and changes nothing', async () => {
    const { sub, AccessToken } = await aSignedInUser()
    const { email } = aPerson()
    const number = '+4915112345003'
    const verify = async (AttributeName: string, Code: string) =>
      await pool.call('VerifyUserAttribute', { AccessToken, AttributeName, Code })
    for (const [Name, Value] of [
      ['email', email],
      ['phone_number', number],
    ]) {
      await mustSucceed(pool, 'UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name, Value }] })
    }
    const [code, text] = [await pool.readCode(email), await pool.readSmsCode(number)]

    for (let time = 1; time <= 2; time += 1) {
      expect(await verify('email', code)).toEqual({ status: 200, body: {} })
      expect(await verify('phone_number', text)).toEqual({ status: 200, body: {} })
    }

    const events = await pool.identity.account.listEvents(sub, { before: undefined, limit: 20 })
    for (const changed of ['email-changed', 'phone-changed']) {
      expect(events.filter(({ kind }) => kind === changed)).toMatchObject([{ times: 1 }])
    }
    expect(await verify('email', code === '111111' ? '222222' : '111111')).toMatchObject({ status: 400 })
    await mustSucceed(pool, 'DeleteUserAttributes', { AccessToken, UserAttributeNames: ['phone_number'] })
    expect(await verify('phone_number', text)).toMatchObject({ status: 400 })
  })

  test('the phone number of the only second factor cannot be removed where one is required', async () => {
    const required = await aPool(useDatabase(), { clock, beside: pool, settings: { mfa: 'required' } })
    const { AccessToken } = await aUserWithPhone('+4915112345001')
    await mustSucceed(required, 'SetUserMFAPreference', { AccessToken, SMSMfaSettings: { Enabled: true } })

    const MUST_STAY = refusal(
      'InvalidParameterException',
      'MFA is required for this user pool: one factor must stay enabled.',
    )
    const removal = { AccessToken, UserAttributeNames: ['phone_number'] }
    expect(await required.call('DeleteUserAttributes', removal)).toEqual(MUST_STAY)
    const UserAttributes = [{ Name: 'phone_number', Value: '' }]
    expect(await required.call('UpdateUserAttributes', { AccessToken, UserAttributes })).toEqual(MUST_STAY)
    const { body } = await required.call('GetUser', { AccessToken })
    expect(body['UserMFASettingList']).toEqual(['SMS_MFA'])

    await mustSucceed(required, 'SetUserMFAPreference', { AccessToken, EmailMfaSettings: { Enabled: true } })
    await mustSucceed(required, 'DeleteUserAttributes', removal)
    await required.close()
  })

  test('verifying the current number again is not recorded as a change', async () => {
    const { sub, AccessToken, verify } = await aUserWithPhone('+4915112345002')
    await mustSucceed(pool, 'GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'phone_number' })

    await verify(2)

    const events = await pool.identity.account.listEvents(sub, { before: undefined, limit: 20 })
    expect(events.filter(({ kind }) => kind === 'phone-changed')).toMatchObject([{ times: 1 }])
  })

  test('a phone number given at sign-up is added once it is verified', async () => {
    const phone = '+4915112349999'
    const person = aPerson()
    await mustSucceed(pool, 'SignUp', {
      Username: person.username,
      Password: person.password,
      UserAttributes: [
        { Name: 'email', Value: person.email },
        { Name: 'phone_number', Value: phone },
      ],
    })
    const ConfirmationCode = await pool.readCode(person.email)
    await mustSucceed(pool, 'ConfirmSignUp', { Username: person.username, ConfirmationCode })
    const { AccessToken } = await signIn(pool, person)
    const which = { AccessToken, AttributeName: 'phone_number' }

    expect((await mustSucceed(pool, 'GetUserAttributeVerificationCode', which)).body).toEqual({
      CodeDeliveryDetails: { AttributeName: 'phone_number', DeliveryMedium: 'SMS', Destination: '+*********9999' },
    })
    await mustSucceed(pool, 'VerifyUserAttribute', { ...which, Code: await pool.readSmsCode(phone) })
    expect(await attributesOf(AccessToken)).toMatchObject({ phone_number: phone })
  })

  // Evidence: asvs-15.3.3
  test.each([
    ['sub', 'x', 'NotAuthorizedException', 'A client attempted to write unauthorized attribute'],
    ['email_verified', 'true', 'NotAuthorizedException', 'A client attempted to write unauthorized attribute'],
    ['email', 'nowhere', 'InvalidParameterException', 'Invalid email address format.'],
    [
      'email',
      '',
      'InvalidParameterException',
      'Attributes did not conform to the schema: email: The attribute is required ',
    ],
    ['phone_number', '0151 123', 'InvalidParameterException', 'Invalid phone number format.'],
    [
      'shoe_size',
      '42',
      'InvalidParameterException',
      'Attributes did not conform to the schema: Type for attribute {shoe_size} could not be determined',
    ],
  ])('the attribute %s cannot be set to %j', async (Name, Value, type, message) => {
    const { AccessToken } = await aSignedInUser()

    expect(await pool.call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name, Value }] })).toEqual(
      refusal(type, message),
    )
  })

  test('only e-mail and phone number can be verified, and the e-mail cannot be deleted', async () => {
    const { AccessToken } = await aSignedInUser()
    const only = refusal(
      'InvalidParameterException',
      'Invalid attribute name. Only phone_number and email can be verified.',
    )

    expect(await pool.call('GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'sub' })).toEqual(only)
    expect(await pool.call('VerifyUserAttribute', { AccessToken, AttributeName: 'sub', Code: '1' })).toEqual(only)
    expect(await pool.call('DeleteUserAttributes', { AccessToken, UserAttributeNames: ['email'] })).toMatchObject({
      body: { __type: 'InvalidParameterException' },
    })
  })

  test('deleting an account frees its name and address and notifies the product', async () => {
    const zoe = await aConfirmedUser(pool)
    const tokens = await signIn(pool, zoe)
    await pool.identity.verifyIdToken(tokens.IdToken)

    expect(await pool.call('DeleteUser', { AccessToken: tokens.AccessToken })).toEqual({ status: 200, body: {} })

    expect(deleted).toContain(zoe.sub)
    expect(announced).toContain(zoe.sub)
    await expect(pool.identity.verifyIdToken(tokens.IdToken)).rejects.toThrow('revoked')
    expect(await pool.call('GetUser', { AccessToken: tokens.AccessToken })).toEqual(
      refusal('UserNotFoundException', 'User does not exist.'),
    )
    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken: tokens.RefreshToken })).toMatchObject({
      body: { __type: 'NotAuthorizedException' },
    })
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 400 })
    expect(await signUp(pool, zoe)).not.toBe(zoe.sub)
  })

  test('deleting an account leaves no row with its id, name or address', async () => {
    const zoe = await aUserWithApp(pool, clock.now)
    const { AccessToken } = zoe.tokens
    const phone = '+4915112344444'
    await askForEmail(AccessToken, aPerson().email)
    await mustSucceed(pool, 'UpdateUserAttributes', {
      AccessToken,
      UserAttributes: [{ Name: 'phone_number', Value: phone }],
    })
    await mustSucceed(pool, 'ForgotPassword', { Username: zoe.email })
    await startRegistration(pool, AccessToken)
    const wrong = { SOFTWARE_TOKEN_MFA_CODE: '000', EMAIL_OTP_CODE: '000' }
    const AuthParameters = { USERNAME: zoe.email, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
    const first = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    for (const asked of [first, await givePassword(pool, zoe.email, zoe.password)]) {
      expect(await respond(pool, asked, wrong, zoe.email)).toMatchObject({ status: 400 })
    }
    await givePassword(pool, zoe.email, 'Wr0ngPassword')
    const tablesThatName = async (text: string) => {
      const db = useDatabase().withTables<Record<string, object>>().read
      const named: string[] = []
      for (const { name } of await db.introspection.getTables()) {
        if (name.startsWith('mail_')) continue
        const rows = await db.selectFrom(name).selectAll().execute()
        if (JSON.stringify(rows).includes(text)) named.push(name)
      }
      return named
    }
    expect(await tablesThatName(zoe.sub)).toEqual(expect.arrayContaining(['identity_user', 'identity_lockout']))

    await mustSucceed(pool, 'DeleteUser', { AccessToken })

    for (const text of [zoe.sub, zoe.email, zoe.username, phone]) expect(await tablesThatName(text)).toEqual([])
  })

  test('an account is kept if the product fails to remove its data', async () => {
    const zoe = await aSignedInUser()
    mayDelete = false

    const reply = await pool.call('DeleteUser', { AccessToken: zoe.AccessToken })
    mayDelete = true

    expect(reply.status).toBe(500)
    expect(await trySignIn(pool, zoe.email, zoe.password)).toMatchObject({ status: 200 })
  })

  test('GetUserAuthFactors lists the first factors of a user', async () => {
    const zoe = await aSignedInUser()

    expect((await pool.call('GetUserAuthFactors', { AccessToken: zoe.AccessToken })).body).toMatchObject({
      Username: zoe.username,
      ConfiguredUserAuthFactors: expect.arrayContaining(['PASSWORD', 'EMAIL_OTP']) as unknown,
    })
  })

  test('attribute changes are limited per hour', async () => {
    const { AccessToken, email } = await aSignedInUser()
    for (let time = 1; time <= 10; time += 1) {
      expect(await askForEmail(AccessToken, email)).toEqual({ status: 200, body: { CodeDeliveryDetailsList: [] } })
    }

    expect(await askForEmail(AccessToken, email)).toEqual(TOO_MANY)
    for (let time = 1; time <= 15; time += 1) await proveEmail(AccessToken, '123456')
    expect(await proveEmail(AccessToken, '123456')).toEqual(LIMIT)
    clock.advance(HOUR_MS - 1)
    expect(await askForEmail(AccessToken, email)).toEqual(TOO_MANY)
  })

  test('new app secrets and their first codes are limited per hour', async () => {
    const { AccessToken } = await aSignedInUser()
    const associate = async () => await pool.call('AssociateSoftwareToken', { AccessToken })
    const verify = async () => await pool.call('VerifySoftwareToken', { AccessToken, UserCode: '000000' })

    for (let time = 1; time <= 15; time += 1) await associate()
    expect(await associate()).toEqual(TOO_MANY)
    for (let time = 1; time <= 15; time += 1) await verify()
    expect(await verify()).toEqual(TOO_MANY)
  })
})
