import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eachDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool } from '../testing/a-pool.ts'
import { anAuthenticator } from '../testing/authenticator.ts'
import { aDevice, type DeviceTokens } from '../testing/devices.ts'
import { beginJourney, callAsScreen, follow, openIdClient, post, TOOLS, WIKI } from '../testing/other-tools.ts'
import { startRegistration } from '../testing/passkeys.ts'
import { aConfirmedUser, type Person, type Reply, signIn } from '../testing/people.ts'
import { srpClient } from '../testing/srp-client.ts'
import { appCode, givePassword, mustSucceed, respond } from '../testing/second-factors.ts'

/** Texts that a database or a header cannot hold: PostgreSQL has no NUL, UTF-8 no lone surrogate. */
const ODD = ['\0', 'a\0b', '\uD800', 'a\uDC00b', '\u202E', '\r\n', `${'x'.repeat(500)}\0`]

eachDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let zoe: Person & { sub: string }
  let AccessToken: string
  beforeAll(async () => {
    pool = await aPool(useDatabase(), { settings: { deviceTracking: 'on', oauthClients: TOOLS } })
    zoe = await aConfirmedUser(pool)
    AccessToken = (await signIn(pool, zoe)).AccessToken
  })
  afterAll(async () => {
    await pool.close()
  })

  /** The replies that report an internal error. */
  const internalErrorsIn = (replies: readonly Reply[]) => replies.filter(({ status }) => status >= 500)

  describe.each(ODD)('the text %j causes no internal error', (odd) => {
    test('odd text in any sign-in parameter causes no internal error', async () => {
      const seen: Reply[] = []
      const srp = { USERNAME: zoe.email, SRP_A: srpClient(pool.identity.pool.userPoolId).A }
      const password = { USERNAME: zoe.email, PASSWORD: zoe.password }
      for (const [AuthFlow, given] of [
        ['USER_SRP_AUTH', srp],
        ['USER_PASSWORD_AUTH', password],
        ['USER_AUTH', { ...srp, ...password, PREFERRED_CHALLENGE: 'PASSWORD' }],
        ['REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: odd }],
      ] as const) {
        for (const name of ['USERNAME', 'PASSWORD', 'SRP_A', 'DEVICE_KEY', 'PREFERRED_CHALLENGE']) {
          seen.push(await pool.call('InitiateAuth', { AuthFlow, AuthParameters: { ...given, [name]: odd } }))
        }
      }
      expect(internalErrorsIn(seen)).toEqual([])
    })

    test('odd text in a challenge answer causes no internal error', async () => {
      const seen: Reply[] = []
      const AuthParameters = { USERNAME: zoe.email }
      for (const name of ['USERNAME', 'ANSWER', 'PASSWORD', 'DEVICE_KEY']) {
        const asked = await pool.call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
        const answer = { ANSWER: 'PASSWORD', PASSWORD: zoe.password, [name]: odd }
        seen.push(await respond(pool, asked, answer, name === 'USERNAME' ? odd : zoe.email))
      }
      expect(internalErrorsIn(seen)).toEqual([])
    })

    test('odd text in passkey registration and sign-in causes no internal error', async () => {
      const seen: Reply[] = []
      const passkey = anAuthenticator()
      const options = await startRegistration(pool, AccessToken)
      const Credential = passkey.create(options, { challenge: odd })
      seen.push(await pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential }))
      const named = { ...passkey.create(options), id: odd, rawId: odd }
      seen.push(await pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential: named }))

      const owner = await aConfirmedUser(pool)
      const tokens = await signIn(pool, owner)
      const made = passkey.create(await startRegistration(pool, tokens.AccessToken))
      await mustSucceed(pool, 'CompleteWebAuthnRegistration', { AccessToken: tokens.AccessToken, Credential: made })
      const AuthParameters = { USERNAME: owner.email, PREFERRED_CHALLENGE: 'WEB_AUTHN' }
      const asked = await mustSucceed(pool, 'InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
      const answer = passkey.get({ challenge: 'AAAA', rpId: 'marquee.example', allowCredentials: [] })
      for (const CREDENTIAL of [odd, JSON.stringify({ ...answer, id: odd, rawId: odd })]) {
        seen.push(await respond(pool, asked, { CREDENTIAL }, owner.email))
      }
      expect(internalErrorsIn(seen)).toEqual([])
    })

    test('odd text in the name of a device or an app causes no internal error', async () => {
      const seen: Reply[] = []
      const tokens = await signIn(pool, zoe)
      const reply = await givePassword(pool, zoe.email, zoe.password)
      const { device, config } = aDevice(reply.body['AuthenticationResult'] as DeviceTokens)
      const mine = (reply.body['AuthenticationResult'] as DeviceTokens).AccessToken
      const kept = { AccessToken: mine, DeviceKey: device.key, DeviceName: odd, DeviceSecretVerifierConfig: config }
      seen.push(await pool.call('ConfirmDevice', kept))
      for (const operation of ['GetDevice', 'ForgetDevice', 'UpdateDeviceStatus']) {
        seen.push(await pool.call(operation, { AccessToken: mine, DeviceKey: odd }))
      }
      for (const PaginationToken of [odd, Buffer.from(odd).toString('base64url')]) {
        seen.push(await pool.call('ListDevices', { AccessToken: mine, PaginationToken }))
        const page = { AccessToken: mine, NextToken: PaginationToken }
        seen.push(await pool.call('ListWebAuthnCredentials', page))
      }
      const { body } = await mustSucceed(pool, 'AssociateSoftwareToken', { AccessToken: tokens.AccessToken })
      const UserCode = appCode(String(body['SecretCode']), new Date())
      const verify = { AccessToken: tokens.AccessToken, UserCode, FriendlyDeviceName: odd }
      seen.push(await pool.call('VerifySoftwareToken', verify))
      expect(internalErrorsIn(seen)).toEqual([])
    })

    test('odd text in a tool’s requests causes no internal error', async () => {
      const seen: Reply[] = []
      const wiki = await openIdClient(pool, WIKI)
      const { url } = await beginJourney(wiki, WIKI.redirectUris[0] ?? '', { nonce: odd, state: odd })
      const { IdToken } = await signIn(pool, zoe)
      const { searchParams } = await follow(pool, url)
      const request = searchParams.get('request') ?? ''
      seen.push(await callAsScreen(pool, 'answer', IdToken, { request, isAllowed: true }))
      for (const name of ['code', 'refresh_token', 'redirect_uri', 'code_verifier', 'scope', 'client_id']) {
        for (const grant_type of ['authorization_code', 'refresh_token']) {
          const form = { grant_type, client_id: WIKI.id, client_secret: WIKI.secret ?? '', code: 'x', [name]: odd }
          seen.push(await post(pool, 'token', form))
        }
      }
      expect(internalErrorsIn(seen)).toEqual([])
    })
  })

  // Evidence: asvs-15.3.5
  test('an object with a fake length instead of a string is rejected', async () => {
    const odd = { length: { toString: 1, valueOf: 1 } }
    const refused = { status: 400, body: { __type: 'SerializationException' } }
    const account = { Username: 'zoe', Password: 'Passw0rdX', ConfirmationCode: '123456' }
    for (const [operation, body] of [
      ['SignUp', { ...account, Username: odd }],
      ['SignUp', { ...account, Password: odd }],
      ['SignUp', { ...account, UserAttributes: [{ Name: odd, Value: odd }] }],
      ['ConfirmForgotPassword', { ...account, ConfirmationCode: odd }],
      ['GetUser', { AccessToken: odd }],
      ['RespondToAuthChallenge', { ChallengeName: 'PASSWORD', Session: odd }],
      ['VerifySoftwareToken', { AccessToken, UserCode: odd, FriendlyDeviceName: odd }],
      ['ListDevices', { AccessToken, PaginationToken: odd }],
    ] as const) {
      expect(await pool.call(operation, body)).toMatchObject(refused)
    }
    const Credential = anAuthenticator().create(await startRegistration(pool, AccessToken))
    const transports = { ...Credential, response: { ...Credential.response, transports: odd } }
    expect(await pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential: transports })).toMatchObject({
      status: 400,
      body: { __type: 'InvalidParameterException' },
    })
    const { IdToken } = await signIn(pool, zoe)
    expect(await callAsScreen(pool, 'question', IdToken, { request: odd })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })
})
