import { randomBytes } from 'node:crypto'

import { decodeJwt } from 'jose'
import { authorizationCodeGrant } from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import type { IdentityTables } from '../../base/tables.ts'
import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import {
  aDevice,
  beginOnDevice,
  beginProof,
  confirmDevice,
  type Device,
  type DeviceTokens,
  proveDevice,
} from '../../testing/devices.ts'
import { allow, beginJourney, openIdClient, TOOLS, WIKI } from '../../testing/other-tools.ts'
import { aConfirmedUser, beginSignIn, finishSignIn, signIn, tokensOf, trySignIn } from '../../testing/people.ts'
import { appCode, aUserWithApp, givePassword, mustSucceed, respond } from '../../testing/second-factors.ts'

const STEP_MS = 30_000
const refusal = (type: string, message: string) => ({ status: 400, body: { __type: type, message } })
const UNKNOWN = refusal('ResourceNotFoundException', 'Device does not exist.')
const WRONG = refusal('NotAuthorizedException', 'Incorrect username or password.')

eachStatement(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    pool = await aPool(useDatabase(), { clock, settings: { deviceTracking: 'on', oauthClients: TOOLS } })
  })
  afterAll(async () => {
    await pool.close()
  })

  async function aUserOnDevice(name?: string) {
    const person = await aConfirmedUser(pool)
    const tokens: DeviceTokens = await signIn(pool, person)
    return { ...person, tokens, device: await confirmDevice(pool, tokens, name) }
  }
  const signInOn = async (person: { email: string; password: string }, device: Device) =>
    await proveDevice(pool, await beginOnDevice(pool, person, device.key), device)

  test('a sign-in on an unknown device gets a new device key, which is also in the access token', async () => {
    const zoe = await aConfirmedUser(pool)
    const first: DeviceTokens = await signIn(pool, zoe)
    const second: DeviceTokens = await signIn(pool, zoe)

    expect(first.NewDeviceMetadata?.DeviceKey).toMatch(/^us-east-1_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u)
    expect(first.NewDeviceMetadata?.DeviceGroupKey).toMatch(/^-[A-Za-z0-9]{8,12}$/u)
    expect(decodeJwt(first.AccessToken)['device_key']).toBe(first.NewDeviceMetadata?.DeviceKey)
    expect(second.NewDeviceMetadata?.DeviceKey).not.toBe(first.NewDeviceMetadata?.DeviceKey)
  })

  test('a confirmed device proves its secret after the password and gets no new key', async () => {
    const zoe = await aUserOnDevice()

    const asked = await beginOnDevice(pool, zoe, zoe.device.key)
    expect(asked.body).toMatchObject({ ChallengeName: 'DEVICE_SRP_AUTH' })
    expect(asked.body).not.toHaveProperty('AuthenticationResult')
    const reply = await proveDevice(pool, asked, zoe.device)

    const tokens: DeviceTokens = tokensOf(reply)
    expect(tokens.NewDeviceMetadata).toBeUndefined()
    expect(decodeJwt(tokens.AccessToken)['device_key']).toBe(zoe.device.key)
  })

  test('a device with a wrong secret gets no tokens but can try again', async () => {
    const zoe = await aUserOnDevice()
    const { reply, answer } = await beginProof(pool, await beginOnDevice(pool, zoe, zoe.device.key), zoe.device)
    const respondWith = async (responses: object) =>
      await pool.call('RespondToAuthChallenge', {
        ChallengeName: 'DEVICE_PASSWORD_VERIFIER',
        Session: reply.body['Session'],
        ChallengeResponses: { ...answer, ...responses },
      })

    expect(await respondWith({ PASSWORD_CLAIM_SIGNATURE: Buffer.alloc(32).toString('base64') })).toEqual(WRONG)
    expect(await respondWith({ DEVICE_KEY: 'us-east-1_0' })).toMatchObject({ status: 400 })
    expect(await respondWith({})).toMatchObject({ status: 200 })
    expect(await respondWith({})).toMatchObject({ status: 400 })
  })

  test('a device proof is rejected in another sign-in or without its session', async () => {
    const zoe = await aUserOnDevice()
    const first = await beginProof(pool, await beginOnDevice(pool, zoe, zoe.device.key), zoe.device)
    const second = await beginProof(pool, await beginOnDevice(pool, zoe, zoe.device.key), zoe.device)
    const respondWith = async (Session: unknown) =>
      await pool.call('RespondToAuthChallenge', {
        ChallengeName: 'DEVICE_PASSWORD_VERIFIER',
        ...(Session !== undefined && { Session }),
        ChallengeResponses: first.answer,
      })

    expect(await respondWith(second.reply.body['Session'])).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user.'),
    )
    expect(await respondWith(undefined)).toEqual(
      refusal('InvalidParameterException', 'Missing required parameter Session'),
    )
    expect(await respondWith(first.reply.body['Session'])).toMatchObject({ status: 200 })
  })

  test("a device's secret block is not accepted in place of a password's", async () => {
    const zoe = await aUserOnDevice()
    const { answer } = await beginProof(pool, await beginOnDevice(pool, zoe, zoe.device.key), zoe.device)

    expect(await finishSignIn(pool, answer)).toEqual(refusal('NotAuthorizedException', 'Invalid session for the user.'))
  })

  test('an answer with an unknown device is rejected, and the same answer without the device signs in', async () => {
    const zoe = await aUserOnDevice()
    const eve = await aUserOnDevice()
    const answer = await beginSignIn(pool, eve.email, eve.password)

    const named = async (DEVICE_KEY: string) => await finishSignIn(pool, { ...answer, DEVICE_KEY })
    expect(await named('us-east-1_00000000-0000-4000-8000-000000000000')).toEqual(UNKNOWN)
    expect(await named(zoe.device.key)).toEqual(UNKNOWN)
    const reply = await finishSignIn(pool, { ...answer, DEVICE_KEY: null })
    expect((tokensOf(reply) as DeviceTokens).NewDeviceMetadata).toBeDefined()
    expect(await finishSignIn(pool, answer)).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session can only be used once.'),
    )
  })

  test('an answer with a forgotten device is rejected, and one without the device leads to the second factor', async () => {
    const zoe = await aUserWithApp(pool, clock.now)
    clock.advance(STEP_MS)
    const answer = await beginSignIn(pool, zoe.email, zoe.password)

    const DEVICE_KEY = 'us-east-1_00000000-0000-4000-8000-000000000000'
    expect(await finishSignIn(pool, { ...answer, DEVICE_KEY })).toEqual(UNKNOWN)
    const asked = await finishSignIn(pool, answer)
    const code = { SOFTWARE_TOKEN_MFA_CODE: appCode(zoe.secret, clock.now()) }
    expect(await respond(pool, asked, code, zoe.email)).toMatchObject({ status: 200 })
  })

  test('a code by mail signs in even with a forgotten device', async () => {
    const zoe = await aConfirmedUser(pool)
    const DEVICE_KEY = 'us-east-1_00000000-0000-4000-8000-000000000000'
    const AuthParameters = { USERNAME: zoe.email, PREFERRED_CHALLENGE: 'EMAIL_OTP', DEVICE_KEY }
    const asked = await pool.call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })

    const EMAIL_OTP_CODE = await pool.readCode(zoe.email, 2)

    expect(tokensOf(await respond(pool, asked, { EMAIL_OTP_CODE, DEVICE_KEY }, zoe.email))).toBeDefined()
  })

  test('a replayed answer that names a device does not clear the failure count', async () => {
    const zoe = await aConfirmedUser(pool)
    const used = await beginSignIn(pool, zoe.email, zoe.password)
    expect(await finishSignIn(pool, used)).toMatchObject({ status: 200 })
    const guess = async () => await trySignIn(pool, zoe.email, 'Wr0ngPassword')
    for (let failure = 1; failure <= 5; failure += 1) expect(await guess()).toEqual(WRONG)
    clock.advance(1000)

    const DEVICE_KEY = 'us-east-1_00000000-0000-4000-8000-000000000000'
    expect(await finishSignIn(pool, { ...used, DEVICE_KEY })).toEqual(
      refusal('NotAuthorizedException', 'Invalid session for the user, session can only be used once.'),
    )

    expect(await guess()).toEqual(WRONG)
    expect(await guess()).toEqual(refusal('NotAuthorizedException', 'Password attempts exceeded'))
  })

  test('a wrong password does not reveal devices', async () => {
    const zoe = await aUserOnDevice()

    const wrong = { email: zoe.email, password: 'Wr0ngPassword' }
    expect(await beginOnDevice(pool, wrong, zoe.device.key)).toEqual(WRONG)
    expect(await beginOnDevice(pool, wrong, 'us-east-1_00000000-0000-4000-8000-000000000000')).toEqual(WRONG)
  })

  test('only the device key that was issued with the tokens can be confirmed, and only once', async () => {
    const zoe = await aConfirmedUser(pool)
    const tokens: DeviceTokens = await signIn(pool, zoe)
    const other: DeviceTokens = await signIn(pool, zoe)
    const { device, config } = aDevice(tokens)
    const confirm = async (DeviceKey: string | undefined, DeviceSecretVerifierConfig: object = config) =>
      await pool.call('ConfirmDevice', { AccessToken: tokens.AccessToken, DeviceKey, DeviceSecretVerifierConfig })

    const INVALID_KEY = refusal('InvalidParameterException', 'Invalid device key given.')
    expect(await confirm(other.NewDeviceMetadata?.DeviceKey)).toEqual(INVALID_KEY)
    for (const verifier of [Buffer.of(0), Buffer.of(1), Buffer.alloc(385, 0xff), Buffer.alloc(500, 1)]) {
      const PasswordVerifier = verifier.toString('base64')
      expect(await confirm(device.key, { ...config, PasswordVerifier })).toEqual(
        refusal('InvalidParameterException', 'Invalid device secret verifier given.'),
      )
    }
    expect(await confirm(device.key)).toEqual({ status: 200, body: { UserConfirmationNecessary: false } })
    expect(await confirm(device.key)).toMatchObject({ body: { __type: 'DeviceKeyExistsException' } })
  })

  test('devices are listed in pages with name and times, and can be found by key', async () => {
    const zoe = await aUserOnDevice('Firefox')
    const phone = await confirmDevice(pool, await signIn(pool, zoe), 'Phone')
    const { AccessToken } = zoe.tokens
    const list = async (page: object) =>
      (await mustSucceed(pool, 'ListDevices', { AccessToken, ...page })).body as {
        Devices: { DeviceKey: string }[]
        PaginationToken?: string
      }

    const all = await list({})
    expect(all.Devices.map(({ DeviceKey }) => DeviceKey)).toEqual([zoe.device.key, phone.key].toSorted())
    expect(all.PaginationToken).toBeUndefined()
    const first = await list({ Limit: 1 })
    const second = await list({ Limit: 1, PaginationToken: first.PaginationToken })
    expect([...first.Devices, ...second.Devices]).toEqual(all.Devices)
    expect(second.PaginationToken).toBeUndefined()

    const now = clock.now().getTime() / 1000
    const { body } = await mustSucceed(pool, 'GetDevice', { AccessToken, DeviceKey: phone.key })
    expect(body).toEqual({
      Device: {
        DeviceKey: phone.key,
        DeviceAttributes: [
          { Name: 'device_status', Value: 'valid' },
          { Name: 'device_name', Value: 'Phone' },
          { Name: 'dev:device_remembered_status', Value: 'remembered' },
        ],
        DeviceCreateDate: now,
        DeviceLastModifiedDate: now,
        DeviceLastAuthenticatedDate: now,
      },
    })
    clock.advance(60_000)
    await signInOn(zoe, phone)
    const later = await mustSucceed(pool, 'GetDevice', { AccessToken, DeviceKey: phone.key })
    expect(later.body['Device']).toMatchObject({ DeviceCreateDate: now, DeviceLastAuthenticatedDate: now + 60 })
  })

  test('a user cannot see, change or forget the device of another user', async () => {
    const zoe = await aUserOnDevice()
    const eve = await aUserOnDevice()
    const asEve = { AccessToken: eve.tokens.AccessToken, DeviceKey: zoe.device.key }

    for (const operation of ['GetDevice', 'UpdateDeviceStatus', 'ForgetDevice']) {
      expect(await pool.call(operation, asEve)).toEqual(UNKNOWN)
    }
    expect(await signInOn(zoe, zoe.device)).toMatchObject({ status: 200 })
  })

  test('a remembered device replaces the second factor, and a device that is not remembered does not', async () => {
    const zoe = await aUserWithApp(pool, clock.now)
    clock.advance(STEP_MS)
    const answerApp = async (asked: Awaited<ReturnType<typeof beginOnDevice>>) =>
      await respond(pool, asked, { SOFTWARE_TOKEN_MFA_CODE: appCode(zoe.secret, clock.now()) }, zoe.email)
    const device = await confirmDevice(
      pool,
      tokensOf(await answerApp(await givePassword(pool, zoe.email, zoe.password))),
    )

    const spared = await beginOnDevice(pool, zoe, device.key)
    expect(spared.body).toMatchObject({ ChallengeName: 'DEVICE_SRP_AUTH' })
    const { AccessToken } = tokensOf(await proveDevice(pool, spared, device))

    const status = { AccessToken, DeviceKey: device.key, DeviceRememberedStatus: 'not_remembered' }
    await mustSucceed(pool, 'UpdateDeviceStatus', status)
    clock.advance(STEP_MS)
    const asked = await beginOnDevice(pool, zoe, device.key)
    expect(asked.body).toMatchObject({ ChallengeName: 'SOFTWARE_TOKEN_MFA' })
    const next = await answerApp(asked)
    expect(next.body).toMatchObject({ ChallengeName: 'DEVICE_SRP_AUTH' })
    expect(await proveDevice(pool, next, device)).toMatchObject({ status: 200 })
  })

  test('a device that is forgotten during its proof does not replace the second factor', async () => {
    const zoe = await aUserWithApp(pool, clock.now)
    clock.advance(STEP_MS)
    const asked = await givePassword(pool, zoe.email, zoe.password)
    const code = { SOFTWARE_TOKEN_MFA_CODE: appCode(zoe.secret, clock.now()) }
    const tokens = tokensOf(await respond(pool, asked, code, zoe.email))
    const device = await confirmDevice(pool, tokens)
    const begun = await beginOnDevice(pool, zoe, device.key)
    await mustSucceed(pool, 'ForgetDevice', { AccessToken: tokens.AccessToken, DeviceKey: device.key })

    expect(await proveDevice(pool, begun, device)).toEqual(UNKNOWN)
  })

  test('both refresh flows require the device key if the session is on a confirmed device', async () => {
    const zoe = await aUserOnDevice()
    const RefreshToken = zoe.tokens.RefreshToken
    const INVALID = refusal('NotAuthorizedException', 'Invalid Refresh Token.')
    const old = async (DEVICE_KEY: string | null) =>
      await pool.call('InitiateAuth', {
        AuthFlow: 'REFRESH_TOKEN_AUTH',
        AuthParameters: { REFRESH_TOKEN: RefreshToken, DEVICE_KEY },
      })
    const other = 'us-east-1_00000000-0000-4000-8000-000000000000'

    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toEqual(INVALID)
    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken, DeviceKey: other })).toEqual(INVALID)
    expect(await old(null)).toEqual(INVALID)
    expect(await old(zoe.device.key)).toMatchObject({ status: 200 })
    const reply = await pool.call('GetTokensFromRefreshToken', { RefreshToken, DeviceKey: zoe.device.key })
    expect(decodeJwt(tokensOf(reply).AccessToken)['device_key']).toBe(zoe.device.key)
  })

  test('a refresh does not require a device that was never confirmed', async () => {
    const zoe = await aConfirmedUser(pool)
    const { RefreshToken } = await signIn(pool, zoe)

    expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 200 })
  })

  test('forgetting a device ends its sessions except the calling one', async () => {
    const zoe = await aUserOnDevice()
    const again = tokensOf(await signInOn(zoe, zoe.device))
    const elsewhere = await signIn(pool, zoe)

    await mustSucceed(pool, 'ForgetDevice', { AccessToken: again.AccessToken, DeviceKey: zoe.device.key })

    const REVOKED = refusal('NotAuthorizedException', 'Access Token has been revoked')
    expect(await pool.call('GetUser', { AccessToken: zoe.tokens.AccessToken })).toEqual(REVOKED)
    await expect(pool.identity.verifyIdToken(zoe.tokens.IdToken)).rejects.toThrow('revoked')
    for (const { AccessToken, RefreshToken } of [again, elsewhere]) {
      expect(await pool.call('GetUser', { AccessToken })).toMatchObject({ status: 200 })
      expect(await pool.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 200 })
    }
    expect(await beginOnDevice(pool, zoe, zoe.device.key)).toEqual(UNKNOWN)
  })

  test('forgetting a device voids the unused authorization codes of its session', async () => {
    const zoe = await aUserOnDevice()
    const { AccessToken } = await signIn(pool, zoe)
    const config = await openIdClient(pool, WIKI)
    const { url, ...kept } = await beginJourney(config, WIKI.redirectUris[0] ?? '')
    const back = await allow(pool, zoe.tokens.IdToken, url)

    await mustSucceed(pool, 'ForgetDevice', { AccessToken, DeviceKey: zoe.device.key })

    const checks = { pkceCodeVerifier: kept.verifier, expectedState: kept.state, expectedNonce: kept.nonce }
    await expect(authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  test('the verifier of a device is stored only in encrypted form', async () => {
    const zoe = await aConfirmedUser(pool)
    const tokens: DeviceTokens = await signIn(pool, zoe)
    const { device, config } = aDevice(tokens)
    await mustSucceed(pool, 'ConfirmDevice', {
      AccessToken: tokens.AccessToken,
      DeviceKey: device.key,
      DeviceSecretVerifierConfig: config,
    })

    const row = await useDatabase()
      .withTables<IdentityTables>()
      .read.selectFrom('identity_device')
      .selectAll()
      .where('sub', '=', zoe.sub)
      .executeTakeFirstOrThrow()
    const verifier = Buffer.from(config.PasswordVerifier, 'base64').subarray(-300)
    const kept = Buffer.concat([row.salt, row.verifier_box])
    expect(kept.includes(verifier)).toBe(false)
    expect(row.verifier_box.length).toBeGreaterThan(384)
  })

  test('a device stays valid when the master key is replaced', async () => {
    const zoe = await aUserOnDevice()
    const settings = { deviceTracking: 'on' as const }
    const masterKey = randomBytes(32)
    const previousMasterKeys = [pool.masterKey]
    const rotated = await aPool(useDatabase(), {
      clock,
      beside: pool,
      masterKey,
      settings: { ...settings, previousMasterKeys },
    })
    await rotated.identity.keys.rotateEncryption()
    await rotated.close()

    const after = await aPool(useDatabase(), { clock, beside: pool, masterKey, settings })
    const asked = await beginOnDevice(after, zoe, zoe.device.key)
    expect(await proveDevice(after, asked, zoe.device)).toMatchObject({ status: 200 })
    await after.close()
    // Returns to the master key of the other tests on this database.
    const back = await aPool(useDatabase(), { clock, beside: pool, settings: { previousMasterKeys: [masterKey] } })
    await back.identity.keys.rotateEncryption()
    await back.close()
  })

  test('a device key is ignored while device tracking is off', async () => {
    const zoe = await aUserOnDevice()
    const plain = await aPool(useDatabase(), { clock, beside: pool })

    const tokens: DeviceTokens = tokensOf(await beginOnDevice(plain, zoe, zoe.device.key))
    expect(tokens.NewDeviceMetadata).toBeUndefined()
    expect(decodeJwt(tokens.AccessToken)['device_key']).toBeUndefined()
    const { RefreshToken } = zoe.tokens
    expect(await plain.call('GetTokensFromRefreshToken', { RefreshToken })).toMatchObject({ status: 200 })
    await plain.close()
  })

  test('a deleted user leaves no device behind', async () => {
    const zoe = await aUserOnDevice()
    await mustSucceed(pool, 'DeleteUser', { AccessToken: zoe.tokens.AccessToken })

    const rows = await useDatabase()
      .withTables<IdentityTables>()
      .read.selectFrom('identity_device')
      .select('sub')
      .where('sub', '=', zoe.sub)
      .execute()
    expect(rows).toEqual([])
  })
})
