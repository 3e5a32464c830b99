import { afterAll, beforeAll, expect, test } from 'vitest'

import { NO_CALLER } from '@marquee/platform/http/caller'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import type { Db, IdentityTables } from '../base/tables.ts'
import { findTotp } from '../parts/mfa/mfa-store.ts'
import { claimLoginName, removeLoginName } from '../parts/users/login-name-store.ts'
import { lockUser, setPendingEmail, setPendingPhone, setVerifiedEmail } from '../parts/users/user-store.ts'
import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { beginJourney, callAsScreen, openIdClient, requestOf, TOOLS, WIKI } from '../testing/other-tools.ts'
import { type Overtaken, overtaken, untilBlocked } from '../testing/overtaken.ts'
import { aConfirmedUser, aPerson, type Person, signIn, signUp, type Tokens, tokensOf } from '../testing/people.ts'
import { appCode, aUserWithApp, givePassword, mustSucceed, respond } from '../testing/second-factors.ts'

type User = Person & Tokens & { sub: string }

eachDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  /** A process whose calls are overtaken by others. */
  let slow: RunningPool
  let race: Overtaken
  let clock: TestClock
  let phones = 0
  /** What the deletion of an account waits for. */
  let mayDelete: Promise<void> | undefined
  beforeAll(async () => {
    clock = testClock()
    const onUserDeleted = async () => {
      await mayDelete
      return () => undefined
    }
    pool = await aPool(useDatabase(), { clock, settings: { oauthClients: TOOLS, onUserDeleted } })
    race = overtaken(useDatabase())
    const settings = { database: race.database, oauthClients: TOOLS }
    slow = await aPool(useDatabase(), { clock, beside: pool, settings })
  })
  afterAll(async () => {
    await slow.close()
    await pool.close()
  })

  async function aUser(): Promise<User> {
    const person = await aConfirmedUser(pool)
    return { ...person, ...(await signIn(pool, person)) }
  }

  const aPhone = () => `+49151${(phones += 1).toString().padStart(8, '0')}`

  const ask = async ({ AccessToken }: Tokens, Name: string, Value: string) =>
    await mustSucceed(pool, 'UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name, Value }] })

  const verify = async ({ AccessToken }: Tokens, AttributeName: string, Code: string) =>
    await pool.call('VerifyUserAttribute', { AccessToken, AttributeName, Code })

  async function aUserWithPhone(): Promise<User> {
    const zoe = await aUser()
    const phone = aPhone()
    await ask(zoe, 'phone_number', phone)
    expect(await verify(zoe, 'phone_number', await pool.readSmsCode(phone))).toMatchObject({ status: 200 })
    return zoe
  }

  const change = async (work: (trx: Db) => Promise<void>) => {
    await useDatabase().withTables<IdentityTables>().transaction(work)
  }

  const secondFactorsOf = async ({ AccessToken }: Tokens) =>
    (await mustSucceed(pool, 'GetUser', { AccessToken })).body['UserMFASettingList']

  const codesTo = async (email: string) =>
    (await pool.readMails(email)).filter((mail) => /^(?:\d{6}|\d{8})$/mu.test(mail)).length

  test('a resent code goes to the new address even if a concurrent call has just set it', async () => {
    const zoe = await aUser()
    const [own, other] = [aPerson().email, aPerson().email]
    await ask(zoe, 'email', own)
    const first = await pool.readCode(own)
    race.before(async () => await ask(zoe, 'email', other))

    await mustSucceed(slow, 'GetUserAttributeVerificationCode', { ...zoe, AttributeName: 'email' })

    const last = await pool.readCode(other, 2)
    expect(await codesTo(own)).toBe(1)
    const refused = { body: { __type: 'CodeMismatchException' } }
    expect(first === last ? refused : await verify(zoe, 'email', first)).toMatchObject(refused)
    expect(await verify(zoe, 'email', last)).toMatchObject({ status: 200 })
  })

  test('a resent code goes to the new number even if a concurrent call has just set it', async () => {
    const zoe = await aUser()
    const [own, other] = [aPhone(), aPhone()]
    await ask(zoe, 'phone_number', own)
    race.before(async () => await ask(zoe, 'phone_number', other))

    await mustSucceed(slow, 'GetUserAttributeVerificationCode', { ...zoe, AttributeName: 'phone_number' })

    const Code = await pool.readSmsCode(other, 2)
    expect(await verify(zoe, 'phone_number', Code)).toMatchObject({ status: 200 })
  })

  test('a code mailed to one address verifies no other address', async () => {
    const zoe = await aUser()
    const [own, other] = [aPerson().email, aPerson().email]
    await ask(zoe, 'email', own)
    const code = await pool.readCode(own)
    await change(async (trx) => await setPendingEmail(trx, zoe.sub, other))

    expect(await verify(zoe, 'email', code)).toMatchObject({ body: { __type: 'CodeMismatchException' } })
    await change(async (trx) => await setPendingEmail(trx, zoe.sub, own.toUpperCase()))
    expect(await verify(zoe, 'email', code)).toMatchObject({ status: 200 })
  })

  test('a code sent to one number verifies no other number', async () => {
    const zoe = await aUser()
    const own = aPhone()
    await ask(zoe, 'phone_number', own)
    const code = await pool.readSmsCode(own)
    await change(async (trx) => await setPendingPhone(trx, zoe.sub, aPhone()))

    expect(await verify(zoe, 'phone_number', code)).toMatchObject({ body: { __type: 'CodeMismatchException' } })
  })

  const firstFactor = ({ username }: User) => ({
    AuthFlow: 'USER_AUTH',
    AuthParameters: { USERNAME: username, PREFERRED_CHALLENGE: 'EMAIL_OTP' },
  })
  const password = ({ username, password: PASSWORD }: User) => ({
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: username, PASSWORD },
  })
  const EMAIL_ON = { EmailMfaSettings: { Enabled: true } }

  test.each([
    ['a password reset', 'ForgotPassword', ({ username }: User) => ({ Username: username })],
    ['a sign-in without a password', 'InitiateAuth', firstFactor],
    ['the second step of a sign-in', 'InitiateAuth', password],
  ])('the code for %s goes to an address that was verified in the meantime', async (_what, operation, body) => {
    const zoe = await aUser()
    const { email } = aPerson()
    await mustSucceed(pool, 'SetUserMFAPreference', { ...zoe, ...EMAIL_ON })
    await ask(zoe, 'email', email)
    const code = await pool.readCode(email)
    race.before(async () => await verify(zoe, 'email', code))

    await mustSucceed(slow, operation, body(zoe))

    expect(await pool.readCode(email, 2)).toMatch(/^\d{6,8}$/u)
    expect(await codesTo(zoe.email)).toBe(1)
  })

  test('a second code sent during a confirmation gets the answer that the user is confirmed', async () => {
    const zoe = aPerson()
    await signUp(pool, zoe)
    const Username = zoe.username
    const confirm = async (ConfirmationCode: string) => await pool.call('ConfirmSignUp', { Username, ConfirmationCode })
    const first = await pool.readCode(zoe.email)
    race.before(async () => await confirm(first))
    await mustSucceed(slow, 'ResendConfirmationCode', { Username })

    const CONFIRMED = {
      __type: 'NotAuthorizedException',
      message: 'User cannot be confirmed. Current status is CONFIRMED',
    }
    const second = await pool.readCode(zoe.email, 2)
    expect(await confirm(second)).toEqual({ status: 400, body: CONFIRMED })
    expect(await confirm(second)).toEqual({ status: 400, body: CONFIRMED })
  })

  test('an operator who confirms a user learns that the user has just confirmed the account', async () => {
    const zoe = aPerson()
    const sub = await signUp(pool, zoe)
    const ConfirmationCode = await pool.readCode(zoe.email)
    race.before(async () => await mustSucceed(pool, 'ConfirmSignUp', { Username: zoe.username, ConfirmationCode }))

    expect(await slow.identity.directory.confirm(sub)).toBe('not-waiting')
  })

  test(
    'ForceAliasCreation leaves the address verified to which the holder has just changed',
    { tags: ['race'] },
    async () => {
      const ann = await aUser()
      const zoe = aPerson({ email: ann.email })
      await signUp(pool, zoe)
      const ConfirmationCode = await pool.readCode(ann.email, 2)
      const force = { Username: zoe.username, ConfirmationCode, ForceAliasCreation: true }
      const { email } = aPerson()
      let taken: ReturnType<typeof pool.call> | undefined

      await change(async (trx) => {
        await lockUser(trx, ann.sub)
        const name = trx.selectFrom('identity_login_name').selectAll().where('name_key', '=', ann.email)
        await (useDatabase().dialect === 'postgres' ? name.forUpdate() : name).execute()
        taken = pool.call('ConfirmSignUp', force)
        await untilBlocked(useDatabase())
        await removeLoginName(trx, ann.email, ann.sub)
        await claimLoginName(trx, { nameKey: email, sub: ann.sub, kind: 'email' })
        await setVerifiedEmail(trx, ann.sub, { email, emailKey: email, now: clock.now().toISOString() })
      })

      expect(await taken).toMatchObject({ status: 200 })
      const { body } = await mustSucceed(pool, 'GetUser', { ...ann })
      expect(body['UserAttributes']).toContainEqual({ Name: 'email_verified', Value: 'true' })
      expect(await signIn(pool, zoe)).toHaveProperty('AccessToken')
      expect(await signIn(pool, { ...ann, email })).toHaveProperty('AccessToken')
    },
  )

  test("a tool gets no code if the user's session ends during consent", async () => {
    const zoe = await aUser()
    const { url } = await beginJourney(await openIdClient(pool, WIKI), WIKI.redirectUris[0] ?? '')
    const request = await requestOf(pool, url)
    race.before(async () => await mustSucceed(pool, 'GlobalSignOut', { ...zoe }))

    expect(await callAsScreen(slow, 'answer', zoe.IdToken, { request, isAllowed: true })).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    })
  })

  test(
    'a sign-in that finishes while the account is deleted leaves no valid id token',
    { tags: ['race'] },
    async () => {
      const zoe = await aUser()
      let deletion: ReturnType<typeof pool.call> | undefined
      race.beforeCommit(async () => {
        deletion = pool.call('DeleteUser', { AccessToken: zoe.AccessToken })
        await untilBlocked(useDatabase())
      })

      const { promise, resolve } = Promise.withResolvers<void>()
      mayDelete = promise

      const { IdToken } = tokensOf(await givePassword(slow, zoe.username, zoe.password))
      expect(await pool.identity.verifyIdToken(IdToken)).toMatchObject({ userId: zoe.sub })
      resolve()

      expect(await deletion).toMatchObject({ status: 200 })
      await expect(pool.identity.verifyIdToken(IdToken)).rejects.toThrow('revoked')
    },
  )

  // Evidence: asvs-6.3.1
  test('the right app code is rejected if a concurrent wrong code causes a lockout', { tags: ['race'] }, async () => {
    const zoe = await aUserWithApp(pool, clock.now)
    const answer = async (through: RunningPool, code: (right: string) => string) => {
      const asked = await givePassword(pool, zoe.email, zoe.password)
      const SOFTWARE_TOKEN_MFA_CODE = code(appCode(zoe.secret, clock.now()))
      return async () => await respond(through, asked, { SOFTWARE_TOKEN_MFA_CODE }, zoe.email)
    }
    const wrong = (right: string) => (right === '000000' ? '111111' : '000000')
    for (let guess = 0; guess < 5; guess += 1) await (await answer(pool, wrong))()
    clock.advance(60_000)
    const sendRight = await answer(pool, (right) => right)
    const sendWrong = await answer(slow, wrong)
    let right: ReturnType<typeof pool.call> | undefined
    race.beforeCommit(async () => {
      right = sendRight()
      await untilBlocked(useDatabase())
    })

    expect(await sendWrong()).toMatchObject({ body: { __type: 'CodeMismatchException' } })

    expect(await right).toMatchObject({ body: { message: 'Password attempts exceeded' } })
  })

  test('a code for an app secret does not verify the secret that replaces it', { tags: ['race'] }, async () => {
    const zoe = await aUser()
    const { body } = await mustSucceed(pool, 'AssociateSoftwareToken', { ...zoe })
    const code = { ...zoe, UserCode: appCode(String(body['SecretCode']), clock.now()) }
    let verified: ReturnType<typeof pool.call> | undefined
    race.beforeCommit(async () => {
      verified = pool.call('VerifySoftwareToken', code)
      await untilBlocked(useDatabase())
    })

    await mustSucceed(slow, 'AssociateSoftwareToken', { ...zoe })

    expect(await verified).toMatchObject({ body: { __type: 'EnableSoftwareTokenMFAException' } })
    const on = await pool.call('SetUserMFAPreference', { ...zoe, SoftwareTokenMfaSettings: { Enabled: true } })
    expect(on).toMatchObject({ body: { message: 'User has not verified software token mfa' } })
  })

  test('an app secret created while the account is deleted is removed too', { tags: ['race'] }, async () => {
    const zoe = await aUser()
    let deletion: ReturnType<typeof pool.call> | undefined
    race.beforeCommit(async () => {
      deletion = pool.call('DeleteUser', { AccessToken: zoe.AccessToken })
      await Promise.race([deletion, untilBlocked(useDatabase())])
    })

    await mustSucceed(slow, 'AssociateSoftwareToken', { ...zoe })

    expect(await deletion).toMatchObject({ status: 200 })
    expect(await findTotp(useDatabase().withTables<IdentityTables>().read, zoe.sub, 'pending')).toBeUndefined()
  })

  test('two concurrent requests for recovery codes leave ten codes', { tags: ['race'] }, async () => {
    const { sub } = await aUserWithApp(pool, clock.now)
    await pool.identity.account.makeRecoveryCodes(sub, NO_CALLER)
    let other: Promise<string[]> | undefined
    race.beforeCommit(async () => {
      other = pool.identity.account.makeRecoveryCodes(sub, NO_CALLER)
      await untilBlocked(useDatabase())
    })

    await slow.identity.account.makeRecoveryCodes(sub, NO_CALLER)

    expect(await other).toHaveLength(10)
    expect(await pool.identity.account.countRecoveryCodes(sub)).toBe(10)
  })

  test('two second factors that are enabled concurrently are both active', { tags: ['race'] }, async () => {
    const { tokens } = await aUserWithApp(pool, pool.ports.clock.now)
    const AppOff = { SoftwareTokenMfaSettings: { Enabled: false } }
    await mustSucceed(pool, 'SetUserMFAPreference', { ...tokens, ...AppOff })
    let other: ReturnType<typeof pool.call> | undefined
    race.beforeCommit(async () => {
      other = pool.call('SetUserMFAPreference', { ...tokens, ...EMAIL_ON })
      await untilBlocked(useDatabase())
    })

    const AppOn = { SoftwareTokenMfaSettings: { Enabled: true } }
    await mustSucceed(slow, 'SetUserMFAPreference', { ...tokens, ...AppOn })

    expect(await other).toMatchObject({ status: 200 })
    expect(await secondFactorsOf(tokens)).toEqual(['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'])
  })

  test.each([
    ['DeleteUserAttributes', { UserAttributeNames: ['phone_number'] }],
    ['UpdateUserAttributes', { UserAttributes: [{ Name: 'phone_number', Value: '' }] }],
  ])('removing a number with %s keeps a second factor that was enabled meanwhile', async (operation, body) => {
    const zoe = await aUserWithPhone()
    race.before(async () => await mustSucceed(pool, 'SetUserMFAPreference', { ...zoe, ...EMAIL_ON }))

    await mustSucceed(slow, operation, { ...zoe, ...body })

    expect(await secondFactorsOf(zoe)).toEqual(['EMAIL_OTP'])
  })
})
