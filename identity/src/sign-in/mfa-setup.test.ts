import { afterAll, beforeAll, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../testing/a-pool.ts'
import { aConfirmedUser, tokensOf } from '../testing/people.ts'
import { appCode, givePassword, mustSucceed, respond } from '../testing/second-factors.ts'

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock, settings: { mfa: 'required' } })
  })
  afterAll(async () => {
    await pool.close()
  })

  const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
  const INVALID = refusal('NotAuthorizedException', 'Invalid session for the user.')

  async function aUserAtSetUp() {
    const zoe = await aConfirmedUser(pool)
    return { zoe, asked: await givePassword(pool, zoe.email, zoe.password) }
  }

  // Evidence: asvs-6.3.3
  test('a user without the required second factor sets up an app and is then signed in', async () => {
    const { zoe, asked } = await aUserAtSetUp()
    expect(asked.body).toMatchObject({
      ChallengeName: 'MFA_SETUP',
      ChallengeParameters: { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA","EMAIL_OTP"]' },
    })

    const { body: app } = await mustSucceed(pool, 'AssociateSoftwareToken', { Session: asked.body['Session'] })
    const UserCode = appCode(String(app['SecretCode']), clock.now())
    const verified = await mustSucceed(pool, 'VerifySoftwareToken', { Session: app['Session'], UserCode })
    const setUp = { ...asked, body: { ...asked.body, Session: verified.body['Session'] } }
    const { AccessToken } = tokensOf(await respond(pool, setUp, {}, zoe.email))

    const { body } = await pool.call('GetUser', { AccessToken })
    expect(body).toMatchObject({ PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA' })
    expect((await givePassword(pool, zoe.email, zoe.password)).body['ChallengeName']).toBe('SOFTWARE_TOKEN_MFA')
    const off = { AccessToken, SoftwareTokenMfaSettings: { Enabled: false } }
    expect(await pool.call('SetUserMFAPreference', off)).toMatchObject({
      body: { __type: 'InvalidParameterException' },
    })
  })

  test('codes by mail can be set up only for the address of the account', async () => {
    const { zoe, asked } = await aUserAtSetUp()

    expect(await respond(pool, asked, { EMAIL: 'eve@example.com' }, zoe.email)).toMatchObject({
      body: { __type: 'InvalidParameterException' },
    })
    const sent = await respond(pool, asked, { EMAIL: zoe.email.toUpperCase() }, zoe.email)
    expect(sent.body['ChallengeName']).toBe('EMAIL_OTP')
    const EMAIL_OTP_CODE = await pool.readCode(zoe.email, 2)
    const { AccessToken } = tokensOf(await respond(pool, sent, { EMAIL_OTP_CODE }, zoe.email))

    expect((await pool.call('GetUser', { AccessToken })).body).toMatchObject({ UserMFASettingList: ['EMAIL_OTP'] })
  })

  test('a user who signs in with a code by mail cannot set up codes by mail as second factor', async () => {
    const zoe = await aConfirmedUser(pool)
    const AuthParameters = { USERNAME: zoe.email, PREFERRED_CHALLENGE: 'EMAIL_OTP' }
    const mailed = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    const EMAIL_OTP_CODE = await pool.readCode(zoe.email, 2)
    const asked = await respond(pool, mailed, { EMAIL_OTP_CODE }, zoe.email)

    expect(asked.body).toMatchObject({
      ChallengeName: 'MFA_SETUP',
      ChallengeParameters: { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' },
    })
    expect(await respond(pool, asked, { EMAIL: zoe.email }, zoe.email)).toMatchObject({
      body: { __type: 'InvalidParameterException' },
    })
  })

  test('the set-up cannot be skipped with an earlier session', async () => {
    const { zoe, asked } = await aUserAtSetUp()
    const { body: app } = await mustSucceed(pool, 'AssociateSoftwareToken', { Session: asked.body['Session'] })
    const unverified = { ...asked, body: { ...asked.body, Session: app['Session'] } }

    for (const reply of [await respond(pool, asked, {}, zoe.email), await respond(pool, unverified, {}, zoe.email)]) {
      expect(reply).toEqual(refusal('InvalidParameterException', 'Missing required parameter EMAIL'))
    }
  })

  test('five wrong codes from a new app void the session', async () => {
    const { asked } = await aUserAtSetUp()
    const { body: app } = await mustSucceed(pool, 'AssociateSoftwareToken', { Session: asked.body['Session'] })
    const right = appCode(String(app['SecretCode']), clock.now())
    const UserCode = right === '000000' ? '111111' : '000000'
    const verify = { Session: app['Session'], UserCode }

    for (let time = 1; time <= 5; time += 1) {
      expect(await pool.call('VerifySoftwareToken', verify)).toMatchObject({
        body: { __type: 'EnableSoftwareTokenMFAException' },
      })
    }

    expect(await pool.call('VerifySoftwareToken', { ...verify, UserCode: right })).toMatchObject({
      body: { __type: 'NotAuthorizedException' },
    })
  })

  test('a user cannot replace a second factor with the password alone', async () => {
    const { zoe, asked } = await aUserAtSetUp()
    const sent = await respond(pool, asked, { EMAIL: zoe.email }, zoe.email)
    await respond(pool, sent, { EMAIL_OTP_CODE: await pool.readCode(zoe.email, 2) }, zoe.email)

    const next = await givePassword(pool, zoe.email, zoe.password)

    expect(next.body['ChallengeName']).toBe('EMAIL_OTP')
    expect(await pool.call('AssociateSoftwareToken', { Session: next.body['Session'] })).toEqual(INVALID)
  })

  test('finishing one set-up ends other pending ones, which could add or replace a factor', async () => {
    const { zoe, asked } = await aUserAtSetUp()
    const byMail = await givePassword(pool, zoe.email, zoe.password)
    const sent = await respond(pool, byMail, { EMAIL: zoe.email }, zoe.email)
    const EMAIL_OTP_CODE = await pool.readCode(zoe.email, 2)
    const byApp = await givePassword(pool, zoe.email, zoe.password)
    const { body: waiting } = await mustSucceed(pool, 'AssociateSoftwareToken', { Session: byApp.body['Session'] })

    const { body: app } = await mustSucceed(pool, 'AssociateSoftwareToken', { Session: asked.body['Session'] })
    const UserCode = appCode(String(app['SecretCode']), clock.now())
    const verified = await mustSucceed(pool, 'VerifySoftwareToken', { Session: app['Session'], UserCode })

    expect(await pool.call('AssociateSoftwareToken', { Session: byApp.body['Session'] })).toEqual(INVALID)
    expect(await pool.call('AssociateSoftwareToken', { Session: verified.body['Session'] })).toEqual(INVALID)
    expect(await pool.call('VerifySoftwareToken', { Session: waiting['Session'], UserCode })).toEqual(INVALID)
    expect(await respond(pool, byApp, { EMAIL: zoe.email }, zoe.email)).toEqual(INVALID)
    expect(await respond(pool, sent, { EMAIL_OTP_CODE }, zoe.email)).toEqual(INVALID)
    const setUp = { ...asked, body: { ...asked.body, Session: verified.body['Session'] } }
    expect(tokensOf(await respond(pool, setUp, {}, zoe.email)).AccessToken).toBeTypeOf('string')
  })

  test('setting up an app without a token or session gets an error that names the missing parameter', async () => {
    const missing = refusal('InvalidParameterException', 'Missing required parameter Session')

    expect(await pool.call('AssociateSoftwareToken', {})).toEqual(missing)
    expect(await pool.call('VerifySoftwareToken', { UserCode: '123456' })).toEqual(missing)
  })
})
