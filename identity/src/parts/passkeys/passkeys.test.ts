import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, PUBLIC_URL, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { anAuthenticator, type Authenticator } from '../../testing/authenticator.ts'
import { askForPasskey, startRegistration } from '../../testing/passkeys.ts'
import { aConfirmedUser, signIn, tokensOf } from '../../testing/people.ts'
import { appCode, aUserWithApp, mustSucceed, respond } from '../../testing/second-factors.ts'
import { relyingPartyOf } from './webauthn.ts'

const STEP_MS = 30_000
const refused = (type: string) => ({ status: 400, body: { __type: type } })
const WRONG = { status: 400, body: { __type: 'NotAuthorizedException', message: 'Incorrect username or password.' } }

describe('addresses that allow passkeys', () => {
  test.each([
    ['https://films.example.org', 'films.example.org'],
    ['https://films.example.org:8443', 'films.example.org'],
    ['http://localhost:3000', 'localhost'],
    ['http://films.localhost:3000', 'films.localhost'],
  ])('passkeys are possible at %s, with the relying party id %s', (url, id) => {
    expect(relyingPartyOf(url)).toEqual({ id, origin: url })
  })

  test.each(['http://films.example.org', 'https://192.0.2.7', 'http://127.0.0.1:3000', 'https://[2001:db8::1]'])(
    'passkeys are not possible at %s',
    (url) => {
      expect(relyingPartyOf(url)).toBeUndefined()
    },
  )
})

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

  const complete = async (AccessToken: string, Credential: unknown) =>
    await pool.call('CompleteWebAuthnRegistration', { AccessToken, Credential })
  const list = async (AccessToken: string, page: object = {}) =>
    (await mustSucceed(pool, 'ListWebAuthnCredentials', { AccessToken, ...page })).body as {
      Credentials: { CredentialId: string }[]
      NextToken?: string
    }
  async function register(AccessToken: string, authenticator: Authenticator = anAuthenticator()) {
    const options = await startRegistration(pool, AccessToken)
    await mustSucceed(pool, 'CompleteWebAuthnRegistration', { AccessToken, Credential: authenticator.create(options) })
    return authenticator
  }
  async function aUserWithPasskey(authenticator?: Authenticator) {
    const person = await aConfirmedUser(pool)
    const tokens = await signIn(pool, person)
    return { ...person, tokens, passkey: await register(tokens.AccessToken, authenticator) }
  }

  test('the creation options have every field that clients need', async () => {
    const zoe = await aUserWithPasskey()
    const options = await startRegistration(pool, zoe.tokens.AccessToken)

    expect(options).toMatchObject({
      rp: { id: 'marquee.example', name: 'Marquee' },
      user: { name: zoe.username, displayName: zoe.username },
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      timeout: 60_000,
      excludeCredentials: [{ type: 'public-key', id: zoe.passkey.id }],
      authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification: 'preferred' },
    })
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32)
    expect(Buffer.from(options.user.id, 'base64url').toString('hex')).toBe(zoe.sub.replaceAll('-', ''))
  })

  test('a passkey can be registered, listed, used to sign in and deleted', async () => {
    const zoe = await aUserWithPasskey()
    const { AccessToken } = zoe.tokens

    expect(await list(AccessToken)).toEqual({
      Credentials: [
        {
          CredentialId: zoe.passkey.id,
          FriendlyCredentialName: 'Passkey',
          RelyingPartyId: 'marquee.example',
          AuthenticatorAttachment: 'platform',
          AuthenticatorTransports: ['internal', 'hybrid'],
          CreatedAt: clock.now().getTime() / 1000,
        },
      ],
    })
    const { answer } = await askForPasskey(pool, zoe.email)
    const tokens = tokensOf(await answer(zoe.passkey))
    expect(await pool.identity.verifyIdToken(tokens.IdToken)).toMatchObject({ userId: zoe.sub })

    const again = await askForPasskey(pool, zoe.email)
    await mustSucceed(pool, 'DeleteWebAuthnCredential', { AccessToken, CredentialId: zoe.passkey.id })
    expect(await again.answer(zoe.passkey)).toEqual(WRONG)
    expect(await list(AccessToken)).toEqual({ Credentials: [] })
    expect(await pool.call('DeleteWebAuthnCredential', { AccessToken, CredentialId: zoe.passkey.id })).toMatchObject(
      refused('ResourceNotFoundException'),
    )
  })

  test('several passkeys are listed in pages, and each signs in', async () => {
    const zoe = await aUserWithPasskey()
    const other = await register(zoe.tokens.AccessToken)

    const first = await list(zoe.tokens.AccessToken, { MaxResults: 1 })
    const second = await list(zoe.tokens.AccessToken, { MaxResults: 1, NextToken: first.NextToken })
    expect(second.NextToken).toBeUndefined()
    expect([...first.Credentials, ...second.Credentials].map(({ CredentialId }) => CredentialId)).toEqual(
      [zoe.passkey.id, other.id].toSorted(),
    )
    for (const passkey of [zoe.passkey, other]) {
      const { answer, options } = await askForPasskey(pool, zoe.username)
      expect(options.allowCredentials.map(({ id }) => id).toSorted()).toEqual([zoe.passkey.id, other.id].toSorted())
      expect(await answer(passkey)).toMatchObject({ status: 200 })
    }
  })

  test('a registration for another site, origin or challenge, or with an unknown key type, gets a named error', async () => {
    const zoe = await aConfirmedUser(pool)
    const { AccessToken } = await signIn(pool, zoe)
    const other = await signIn(pool, await aConfirmedUser(pool))
    const attempt = async (quirks: Parameters<Authenticator['create']>[1]) =>
      await complete(AccessToken, anAuthenticator().create(await startRegistration(pool, AccessToken), quirks))

    const elsewhere = (await startRegistration(pool, other.AccessToken)).challenge
    const NOT_FOUND = refused('WebAuthnChallengeNotFoundException')
    expect(await attempt({ challenge: 'AAAA' })).toMatchObject(NOT_FOUND)
    expect(await attempt({ challenge: elsewhere })).toMatchObject(NOT_FOUND)
    const ORIGIN = refused('WebAuthnOriginNotAllowedException')
    for (const origin of ['https://evil.example', `${PUBLIC_URL}:8443`, `${PUBLIC_URL}.evil.example`, 'null']) {
      expect(await attempt({ origin })).toMatchObject(ORIGIN)
    }
    expect(await attempt({ crossOrigin: true })).toMatchObject(ORIGIN)
    expect(await attempt({ rpId: 'evil.example' })).toMatchObject(refused('WebAuthnRelyingPartyMismatchException'))
    const UNSUPPORTED = refused('WebAuthnCredentialNotSupportedException')
    for (const quirk of [{ alg: -8 }, { type: 'webauthn.get' }, { userPresent: false }]) {
      expect(await attempt(quirk)).toMatchObject(UNSUPPORTED)
    }
    for (const Credential of [undefined, {}, 'text', { id: 'x', rawId: 'x', type: 'password', response: {} }]) {
      expect(await complete(AccessToken, Credential)).toMatchObject(refused('InvalidParameterException'))
    }
    expect(await list(AccessToken)).toEqual({ Credentials: [] })
  })

  test(
    'a registration challenge works only once, even after a bad answer, and only for five minutes',
    { tags: ['race'] },
    async () => {
      const zoe = await aConfirmedUser(pool)
      const { AccessToken } = await signIn(pool, zoe)
      const NOT_FOUND = refused('WebAuthnChallengeNotFoundException')
      const options = await startRegistration(pool, AccessToken)
      const passkey = anAuthenticator()

      await complete(AccessToken, passkey.create(options, { origin: 'https://evil.example' }))
      expect(await complete(AccessToken, passkey.create(options))).toMatchObject(NOT_FOUND)

      const fresh = await startRegistration(pool, AccessToken)
      const replies = await Promise.all(
        [1, 2, 3].map(async () => await complete(AccessToken, anAuthenticator().create(fresh))),
      )
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)

      const late = await startRegistration(pool, AccessToken)
      clock.advance(5 * 60_000)
      expect(await complete(AccessToken, passkey.create(late))).toMatchObject(NOT_FOUND)
    },
  )

  test('only the owner can rename a passkey, and the list shows when it was used', async () => {
    const zoe = await aUserWithPasskey()
    const eve = await aUserWithPasskey()
    const { listPasskeys, renamePasskey } = pool.identity.account
    const [before] = await listPasskeys(zoe.sub)
    const id = before?.passkeyId ?? ''

    expect(before).toMatchObject({ passkeyId: zoe.passkey.id, usedAt: null })
    expect(await renamePasskey(eve.sub, id, 'Mine now')).toBeUndefined()
    expect(await renamePasskey(zoe.sub, id, 'Laptop')).toEqual({ ...before, name: 'Laptop' })
    const { answer } = await askForPasskey(pool, zoe.email)
    await answer(zoe.passkey)
    const [after] = await listPasskeys(zoe.sub)
    expect(after).toEqual({ ...before, name: 'Laptop', usedAt: clock.now().toISOString() })
  })

  test('a registered passkey cannot be registered again by any user', async () => {
    const zoe = await aUserWithPasskey()
    const eve = await signIn(pool, await aConfirmedUser(pool))

    for (const { AccessToken } of [zoe.tokens, eve]) {
      const options = await startRegistration(pool, AccessToken)
      expect(await complete(AccessToken, zoe.passkey.create(options))).toMatchObject(
        refused('WebAuthnCredentialNotSupportedException'),
      )
    }
  })

  test('a sign-in for another site, origin, challenge or user, or with an unchanged counter, is rejected', async () => {
    const zoe = await aUserWithPasskey()
    const eve = await aUserWithPasskey()
    const quirks = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'AAAA' },
      { crossOrigin: true },
      { counter: 1 },
      { type: 'webauthn.create' },
      { userPresent: false },
      { userHandle: Buffer.from(eve.sub.replaceAll('-', ''), 'hex').toString('base64url') },
    ]
    for (const quirk of quirks) {
      const { answer } = await askForPasskey(pool, zoe.email)
      expect(await answer(zoe.passkey, quirk)).toEqual(WRONG)
    }
    const { answer } = await askForPasskey(pool, zoe.email)
    expect(await answer(eve.passkey)).toEqual(WRONG)
    expect(await answer(anAuthenticator())).toEqual(WRONG)
    expect(await answer(zoe.passkey)).toMatchObject({ status: 200 })
  })

  test('a signature with one bit changed, or over other data, is rejected', async () => {
    const zoe = await aUserWithPasskey()
    const { reply, options } = await askForPasskey(pool, zoe.email)
    const good = zoe.passkey.get(options)
    const other = zoe.passkey.get({ ...options, challenge: 'AAAA' })
    const flipped = Buffer.from(good.response.signature, 'base64url')
    flipped.writeUInt8(flipped.readUInt8(flipped.length - 1) ^ 1, flipped.length - 1)
    for (const response of [
      { ...good.response, signature: flipped.toString('base64url') },
      { ...good.response, signature: other.response.signature },
      { ...other.response, clientDataJSON: good.response.clientDataJSON },
    ]) {
      const CREDENTIAL = JSON.stringify({ ...good, response })
      expect(await respond(pool, reply, { CREDENTIAL }, zoe.email)).toEqual(WRONG)
    }
    expect(await respond(pool, reply, { CREDENTIAL: JSON.stringify(good) }, zoe.email)).toMatchObject({ status: 200 })
  })

  test('a passkey with a longer id than the standard allows is rejected', async () => {
    const { AccessToken } = await signIn(pool, await aConfirmedUser(pool))
    const attempt = async (idBytes: number) =>
      await complete(AccessToken, anAuthenticator({ idBytes }).create(await startRegistration(pool, AccessToken)))

    expect(await attempt(1024)).toMatchObject(refused('WebAuthnCredentialNotSupportedException'))
    expect(await attempt(1023)).toMatchObject({ status: 200 })
  })

  test('a signature signs in only once, even if it is sent twice concurrently', { tags: ['race'] }, async () => {
    const zoe = await aUserWithPasskey()
    const { reply, options } = await askForPasskey(pool, zoe.email)
    const CREDENTIAL = JSON.stringify(zoe.passkey.get(options))

    const replies = await Promise.all([1, 2, 3].map(async () => await respond(pool, reply, { CREDENTIAL }, zoe.email)))

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const next = await askForPasskey(pool, zoe.email)
    expect(await respond(pool, next.reply, { CREDENTIAL }, zoe.email)).toEqual(WRONG)
  })

  test('one of two copies of an authenticator that sign concurrently signs in', { tags: ['race'] }, async () => {
    const zoe = await aUserWithPasskey()
    for (let counter = 50; counter < 55; counter += 1) {
      const sessions = [await askForPasskey(pool, zoe.email), await askForPasskey(pool, zoe.email)]

      const replies = await Promise.all(sessions.map(async ({ answer }) => await answer(zoe.passkey, { counter })))

      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(replies).toContainEqual(WRONG)
    }
  })

  test('a passkey without a counter, as on phones, signs in repeatedly', async () => {
    const zoe = await aUserWithPasskey(anAuthenticator({ startAt: 0 }))

    for (const _time of [1, 2]) {
      const { answer } = await askForPasskey(pool, zoe.email)
      expect(await answer(zoe.passkey)).toMatchObject({ status: 200 })
    }
  })

  test('a passkey counts as two factors with user verification and as one without', async () => {
    const zoe = await aUserWithApp(pool, clock.now)
    const passkey = await register(zoe.tokens.AccessToken)
    clock.advance(STEP_MS)

    const verified = await askForPasskey(pool, zoe.email)
    expect(await verified.answer(passkey)).toMatchObject({ status: 200, body: { AuthenticationResult: {} } })
    const touched = await askForPasskey(pool, zoe.email)
    const asked = await touched.answer(passkey, { userVerified: false })
    expect(asked.body).toMatchObject({ ChallengeName: 'SOFTWARE_TOKEN_MFA' })
    const code = { SOFTWARE_TOKEN_MFA_CODE: appCode(zoe.secret, clock.now()) }
    expect(await respond(pool, asked, code, zoe.email)).toMatchObject({ status: 200 })
  })

  test('a user who is asked for a passkey can choose the password instead', async () => {
    const zoe = await aUserWithPasskey()
    const { reply } = await askForPasskey(pool, zoe.email)

    const chosen = await pool.call('RespondToAuthChallenge', {
      ChallengeName: 'SELECT_CHALLENGE',
      Session: reply.body['Session'],
      ChallengeResponses: { USERNAME: zoe.email, ANSWER: 'PASSWORD', PASSWORD: zoe.password },
    })
    expect(chosen).toMatchObject({ status: 200, body: { AuthenticationResult: {} } })
  })

  test('a user can have at most twenty passkeys', async () => {
    const zoe = await aConfirmedUser(pool)
    for (let count = 1; count <= 20; count += 1) {
      clock.advance(10 * 60_000)
      await register((await signIn(pool, zoe)).AccessToken)
    }
    const { AccessToken } = await signIn(pool, zoe)

    const options = await startRegistration(pool, AccessToken)
    expect(await complete(AccessToken, anAuthenticator().create(options))).toMatchObject(
      refused('LimitExceededException'),
    )
  })

  test('a passkey registration can be started fifteen times an hour', async () => {
    const { AccessToken } = await signIn(pool, await aConfirmedUser(pool))
    for (let time = 1; time <= 15; time += 1) await startRegistration(pool, AccessToken)

    expect(await pool.call('StartWebAuthnRegistration', { AccessToken })).toMatchObject(
      refused('LimitExceededException'),
    )
  })

  test('passkeys cannot be created while switched off or at an IP address, and are not offered while off', async () => {
    const zoe = await aUserWithPasskey()
    const { AccessToken } = zoe.tokens
    const open = async (settings: object) => await aPool(useDatabase(), { clock, beside: pool, settings })
    const off = await open({ passkeys: 'off' })

    expect(await off.call('StartWebAuthnRegistration', { AccessToken })).toMatchObject(
      refused('WebAuthnNotEnabledException'),
    )
    const AuthParameters = { USERNAME: zoe.email, PREFERRED_CHALLENGE: 'WEB_AUTHN' }
    const offered = await off.call('InitiateAuth', { AuthFlow: 'USER_AUTH', AuthParameters })
    expect(offered.body['AvailableChallenges']).toEqual(['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP'])
    await off.close()

    const publicUrl = 'https://192.0.2.7'
    const bare = await open({ publicUrl })
    const there = await signIn(bare, zoe)
    expect(await bare.call('StartWebAuthnRegistration', { AccessToken: there.AccessToken })).toMatchObject(
      refused('WebAuthnConfigurationMissingException'),
    )
    await bare.close()
  })
})
