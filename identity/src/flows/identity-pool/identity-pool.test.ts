import { CognitoIdentityClient, GetCredentialsForIdentityCommand, GetIdCommand } from '@aws-sdk/client-cognito-identity'
import { Amplify } from 'aws-amplify'
import { deleteUser, fetchAuthSession, signIn as amplifySignIn, signOut } from 'aws-amplify/auth'
import { ConsoleLogger } from 'aws-amplify/utils'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, signIn } from '../../testing/people.ts'
import { aStandIn, type StandIn } from '../../testing/stand-in.ts'

const IDENTITY_ID = /^us-east-1:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u

anyDatabase(POOL_TABLES, (useDatabase) => {
  let standIn: StandIn
  let closed: RunningPool
  let clock: TestClock
  let IdentityPoolId: string
  let sdk: CognitoIdentityClient

  beforeAll(async () => {
    clock = testClock(new Date().toISOString())
    standIn = await aStandIn(useDatabase(), { clock, settings: { identityPool: { allowsGuests: true } } })
    IdentityPoolId = standIn.pool.identity.pool.identityPoolId ?? ''
    sdk = new CognitoIdentityClient({ region: 'us-east-1', endpoint: standIn.endpoint, maxAttempts: 1 })
    // The same installation without guests.
    const { publicUrl } = standIn.pool.ports
    closed = await aPool(useDatabase(), {
      clock,
      beside: standIn.pool,
      settings: { publicUrl, identityPool: { allowsGuests: false } },
    })
  })
  afterAll(async () => {
    sdk.destroy()
    await closed.app.close()
    await standIn.close()
  })

  const provider = () => `${standIn.endpoint.replace('http://', '')}${standIn.amazon.userPoolId}`
  const loginsOf = (token: string, issuer = provider()) => ({ [issuer]: token })
  const idOf = async (Logins?: Record<string, string>, pool = IdentityPoolId) =>
    (await sdk.send(new GetIdCommand({ IdentityPoolId: pool, Logins }))).IdentityId ?? ''
  const credentialsOf = async (IdentityId: string, Logins?: Record<string, string>) =>
    (await sdk.send(new GetCredentialsForIdentityCommand({ IdentityId, Logins }))).Credentials
  const aUser = async () => {
    const person = await aConfirmedUser(standIn.pool)
    const tokens = await signIn(standIn.pool, person)
    return { person, tokens, Logins: loginsOf(tokens.IdToken) }
  }
  const refusal = (name: string, message: string) => ({ name, message })

  /** Calls the operation of a pool directly, without a client library. */
  async function ask(pool: RunningPool, name: string, body: object) {
    const reply = await pool.app.inject({
      method: 'POST',
      url: '/identity/',
      headers: { 'x-amz-target': `AWSCognitoIdentityService.${name}` },
      payload: JSON.stringify(body),
    })
    return reply.json<Record<string, unknown>>()
  }

  describe('@aws-sdk/client-cognito-identity, unmodified', () => {
    test('@aws-sdk/client-cognito-identity gets one identity per user, even for concurrent calls', async () => {
      const [ana, ben] = [await aUser(), await aUser()]

      const ids = await Promise.all([idOf(ana.Logins), idOf(ana.Logins), idOf(ana.Logins)])
      const later = await idOf(loginsOf((await signIn(standIn.pool, ana.person)).IdToken))

      expect(new Set([...ids, later]).size).toBe(1)
      expect(later).toMatch(IDENTITY_ID)
      expect(await idOf(ben.Logins)).not.toBe(later)
    })

    test('@aws-sdk/client-cognito-identity gets credentials for an hour, new ones each time', async () => {
      const { Logins } = await aUser()
      const id = await idOf(Logins)

      const [first, second] = [await credentialsOf(id, Logins), await credentialsOf(id, Logins)]

      expect(first?.AccessKeyId).toMatch(/^ASIA[A-Z2-7]{16}$/u)
      expect(first?.SecretKey).toHaveLength(40)
      expect(first?.SessionToken?.length).toBeGreaterThan(100)
      expect(first?.Expiration?.getTime()).toBe(Math.floor(clock.now().getTime() / 1000) * 1000 + 3600_000)
      expect(second?.SecretKey).not.toBe(first?.SecretKey)
    })

    test('@aws-sdk/client-cognito-identity gets a new identity and credentials for each guest', async () => {
      const [one, other] = [await idOf(), await idOf({})]

      expect(one).toMatch(IDENTITY_ID)
      expect(other).not.toBe(one)
      expect((await credentialsOf(one))?.AccessKeyId).toMatch(/^ASIA/u)
    })
  })

  describe('aws-amplify, unmodified', () => {
    afterEach(async () => {
      await signOut()
    })

    const configure = () => {
      ConsoleLogger.LOG_LEVEL = 'ERROR'
      const { pool } = standIn.pool.identity
      Amplify.configure({ Auth: { Cognito: { ...pool, identityPoolId: IdentityPoolId, allowGuestAccess: true } } })
    }

    test('aws-amplify gets credentials as a guest and as a signed-in user', async () => {
      configure()
      const guest = await fetchAuthSession()
      const { person, Logins } = await aUser()

      await amplifySignIn({ username: person.email, password: person.password })
      const session = await fetchAuthSession()

      expect(guest.tokens).toBeUndefined()
      expect(guest.credentials?.accessKeyId).toMatch(/^ASIA/u)
      expect(guest.identityId).toMatch(IDENTITY_ID)
      expect(session.userSub).toBe(person.sub)
      expect(session.credentials?.sessionToken).toBeTypeOf('string')
      expect(session.identityId).toBe(await idOf(Logins))
      expect(session.identityId).not.toBe(guest.identityId)
    })

    test('aws-amplify no longer gets credentials for a deleted user', async () => {
      configure()
      const { person, Logins } = await aUser()
      await amplifySignIn({ username: person.email, password: person.password })
      const { identityId } = await fetchAuthSession()

      await deleteUser()

      await expect(credentialsOf(identityId ?? '', Logins)).rejects.toMatchObject({ name: 'NotAuthorizedException' })
      await expect(credentialsOf(identityId ?? '')).rejects.toMatchObject(
        refusal('NotAuthorizedException', `Access to Identity '${identityId ?? ''}' is forbidden.`),
      )
    })
  })

  describe('errors of the identity pool', () => {
    const NOT_GOOD = refusal(
      'NotAuthorizedException',
      'Invalid login token. Not a valid OpenId Connect identity token.',
    )
    const FOREIGN = refusal('NotAuthorizedException', 'Token is not from a supported provider of this identity pool.')
    const NOBODYS = 'us-east-1:00000000-0000-4000-8000-000000000000'

    test('the id of another pool or of an unknown identity is not found', async () => {
      await expect(idOf({}, NOBODYS)).rejects.toMatchObject(
        refusal('ResourceNotFoundException', `IdentityPool '${NOBODYS}' not found.`),
      )
      await expect(credentialsOf(NOBODYS)).rejects.toMatchObject(
        refusal('ResourceNotFoundException', `Identity '${NOBODYS}' not found.`),
      )
    })

    test('an identity id that this pool did not issue, such as an altered one, is not found', async () => {
      const id = await idOf()
      const last = id.endsWith('0') ? '1' : '0'
      const changed = [`${id.slice(0, -1)}${last}`, id.replace(/^us-east-1/u, 'eu-west-1'), `${id}00`, id.slice(0, -9)]

      for (const other of changed) {
        await expect(credentialsOf(other)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
      }
    })

    test('a token of another provider is rejected, alone or beside a valid one', async () => {
      const { tokens, Logins } = await aUser()

      await expect(idOf(loginsOf(tokens.IdToken, 'accounts.google.com'))).rejects.toMatchObject(FOREIGN)
      await expect(idOf({ ...Logins, 'accounts.google.com': 'x' })).rejects.toMatchObject(FOREIGN)
    })

    test('a token that is not an id token of this pool, or belongs to an ended session, is rejected', async () => {
      const { tokens, Logins } = await aUser()
      await standIn.pool.call('RevokeToken', { Token: tokens.RefreshToken })

      await expect(idOf(loginsOf(tokens.AccessToken))).rejects.toMatchObject(NOT_GOOD)
      await expect(idOf(loginsOf('nonsense'))).rejects.toMatchObject(NOT_GOOD)
      await expect(idOf(Logins)).rejects.toMatchObject(NOT_GOOD)
    })

    test('a login cannot get credentials for the identity of a guest', async () => {
      const { Logins } = await aUser()
      const guest = await idOf()

      const answer = await sdk.send(new GetCredentialsForIdentityCommand({ IdentityId: guest, Logins }))

      expect(answer.IdentityId).toBe(await idOf(Logins))
      expect(answer.IdentityId).not.toBe(guest)
    })

    test('an expired token is rejected with both times in the message', async () => {
      const { Logins } = await aUser()
      clock.advance(2 * 3600_000)

      await expect(idOf(Logins)).rejects.toMatchObject({
        name: 'NotAuthorizedException',
        message: expect.stringMatching(/^Invalid login token\. Token expired: \d{10} >= \d{10}$/u) as string,
      })
    })

    test('credentials for the identity of another user are refused, with or without a login', async () => {
      const [ana, ben] = [await aUser(), await aUser()]
      const anas = await idOf(ana.Logins)

      await expect(credentialsOf(anas, ben.Logins)).rejects.toMatchObject(
        refusal(
          'NotAuthorizedException',
          "Logins don't match. Please include at least one valid login for this identity or identity pool.",
        ),
      )
      await expect(credentialsOf(anas)).rejects.toMatchObject(
        refusal('NotAuthorizedException', `Access to Identity '${anas}' is forbidden.`),
      )
    })

    test('a guest is refused where guests are not allowed, even with an existing identity', async () => {
      const guest = await idOf()
      const refused = {
        __type: 'NotAuthorizedException',
        message: 'Unauthenticated access is not supported for this identity pool.',
      }

      expect(await ask(closed, 'GetId', { IdentityPoolId })).toEqual(refused)
      expect(await ask(closed, 'GetId', { IdentityPoolId, Logins: {} })).toEqual(refused)
      expect(await ask(closed, 'GetCredentialsForIdentity', { IdentityId: guest })).toEqual(refused)
      const { Logins } = await aUser()
      expect(await ask(closed, 'GetId', { IdentityPoolId, Logins })).toEqual({
        IdentityId: expect.stringMatching(IDENTITY_ID) as string,
      })
    })

    test.each([
      ['GetId', {}, 'InvalidParameterException'],
      ['GetId', { IdentityPoolId: 'no id' }, 'InvalidParameterException'],
      ['GetId', { IdentityPoolId: 'us-east-1:a', Logins: 'x' }, 'SerializationException'],
      ['GetCredentialsForIdentity', { IdentityId: 5 }, 'SerializationException'],
      ['DescribeIdentity', {}, 'UnknownOperationException'],
      ['SignUp', {}, 'UnknownOperationException'],
    ])('%s with %j gets the error %s', async (name, body, type) => {
      expect((await ask(standIn.pool, name, body))['__type']).toBe(type)
    })
  })

  test('the pool id stays the same after a restart, unless the settings name another', async () => {
    const chosen = 'eu-west-1:11111111-2222-4333-8444-555555555555'
    const other = await aPool(useDatabase(), {
      clock,
      beside: standIn.pool,
      settings: { identityPool: { id: chosen, allowsGuests: true } },
    })

    const { IdentityId } = await ask(other, 'GetId', { IdentityPoolId: chosen })
    await other.app.close()

    expect(closed.identity.pool.identityPoolId).toBe(IdentityPoolId)
    expect(other.identity.pool.identityPoolId).toBe(chosen)
    expect(IdentityId).toMatch(/^eu-west-1:/u)
  })

  test('an installation without an identity pool offers neither its operations nor its configuration', async () => {
    const without = await aPool(useDatabase(), { clock, beside: standIn.pool })

    const answers = [
      await ask(without, 'GetId', { IdentityPoolId }),
      await ask(without, 'GetCredentialsForIdentity', { IdentityId: IdentityPoolId }),
    ]
    await without.app.close()

    expect(answers.map((answer) => answer['__type'])).toEqual([
      'UnknownOperationException',
      'UnknownOperationException',
    ])
    expect(Object.keys(without.identity.pool)).toEqual(['userPoolId', 'userPoolClientId', 'userPoolEndpoint'])
  })
})
