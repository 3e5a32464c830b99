import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  type CognitoIdentityProviderClientConfig,
} from '@aws-sdk/client-cognito-identity-provider'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { aPool, POOL_TABLES, type RunningPool } from '../testing/a-pool.ts'
import { aConfirmedUser, aPerson, signUp } from '../testing/people.ts'
import { ADMIN_KEY, aStandIn, type StandIn } from '../testing/stand-in.ts'

const TARGET = 'AWSCognitoIdentityProviderService.AdminGetUser'

type Seen = { path: string; headers: Record<string, string>; body: string }

/** A signed request of the SDK before it is sent. */
function seenOf({ path, headers, body }: { path: string; headers: Record<string, string>; body: Uint8Array }): Seen {
  return { path, headers: { ...headers }, body: Buffer.from(body).toString('utf8') }
}

anyDatabase(POOL_TABLES, (useDatabase) => {
  let standIn: StandIn
  beforeAll(async () => {
    standIn = await aStandIn(useDatabase())
  })
  afterAll(async () => {
    await standIn.close()
  })

  const clientOf = (settings: CognitoIdentityProviderClientConfig = {}) =>
    new CognitoIdentityProviderClient({
      region: 'us-east-1',
      endpoint: standIn.endpoint,
      credentials: ADMIN_KEY,
      maxAttempts: 1,
      ...settings,
    })
  const ask = async (Username: string, client = clientOf(), UserPoolId = standIn.amazon.userPoolId) =>
    await client.send(new AdminGetUserCommand({ UserPoolId, Username }))

  /** The request of the SDK for a user, as it is sent over the network. */
  async function aSignedRequest(settings: CognitoIdentityProviderClientConfig = {}): Promise<Seen> {
    let seen: Seen | undefined
    const client = clientOf(settings)
    client.middlewareStack.add(
      () => async (args) => {
        seen = seenOf(args.request as Parameters<typeof seenOf>[0])
        throw new Error('not sent')
      },
      { step: 'finalizeRequest', priority: 'low', name: 'look' },
    )
    await ask('ana', client).catch(() => undefined)
    if (!seen) throw new Error('The SDK sent nothing')
    return seen
  }
  async function send({ headers, body, path }: Seen, pool: RunningPool = standIn.pool) {
    const reply = await pool.app.inject({ method: 'POST', url: path, headers, payload: body })
    return { status: reply.statusCode, ...reply.json<{ __type: string; message: string }>() }
  }

  describe('a request signed by the SDK with the configured key', () => {
    test('a request signed by the SDK finds a user by username regardless of case, by e-mail and by id', async () => {
      const ana = await aConfirmedUser(standIn.pool)

      for (const name of [ana.username, ana.username.toUpperCase(), ana.email, ana.sub]) {
        const found = await ask(name)
        expect(found).toMatchObject({ Username: ana.username, UserStatus: 'CONFIRMED', Enabled: true })
        expect(found.UserAttributes).toContainEqual({ Name: 'sub', Value: ana.sub })
        expect(found.UserAttributes).toContainEqual({ Name: 'email', Value: ana.email })
        expect(found.UserCreateDate).toBeInstanceOf(Date)
      }
    })

    test('a request signed by the SDK returns the status of an unconfirmed user', async () => {
      const ben = aPerson()
      await signUp(standIn.pool, ben)

      expect((await ask(ben.username)).UserStatus).toBe('UNCONFIRMED')
    })

    test('a request signed by the SDK gets different errors for an unknown user and an unknown pool', async () => {
      await expect(ask('unknown')).rejects.toMatchObject({ name: 'UserNotFoundException' })
      await expect(ask('unknown', clientOf(), 'us-east-1_Elsewhere')).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
        message: 'User pool us-east-1_Elsewhere does not exist.',
      })
    })
  })

  describe('invalid requests', () => {
    test.each([
      ['has no signature', { authorization: '' }, 'MissingAuthenticationTokenException'],
      ['carries a user token', { authorization: 'Bearer abc' }, 'IncompleteSignatureException'],
      ['lacks a part', { authorization: 'AWS4-HMAC-SHA256 Credential=x' }, 'IncompleteSignatureException'],
      ['carries a session token', { 'x-amz-security-token': 'lent' }, 'UnrecognizedClientException'],
      ['names another host', { host: 'elsewhere.example' }, 'InvalidSignatureException'],
    ])('a request that %s is rejected with a named error', async (_what, headers, name) => {
      const request = await aSignedRequest()

      expect(await send({ ...request, headers: { ...request.headers, ...headers } })).toMatchObject({
        status: 400,
        __type: name,
      })
    })

    test.each([
      ['another key', { ...ADMIN_KEY, accessKeyId: 'AKIDSOMEBODYELSE' }, 'UnrecognizedClientException'],
      ['another secret', { ...ADMIN_KEY, secretAccessKey: 'guessed' }, 'InvalidSignatureException'],
    ])('a request that is signed with %s is rejected with a named error', async (_what, credentials, name) => {
      await expect(ask('ana', clientOf({ credentials }))).rejects.toMatchObject({ name })
    })

    test('a request whose body was changed after signing is rejected', async () => {
      const request = await aSignedRequest()

      const answer = await send({ ...request, body: request.body.replace('ana', 'eve') })

      expect(request.body).toContain('ana')
      expect(answer).toMatchObject({ __type: 'InvalidSignatureException' })
    })

    test('a request that is sent to a path other than the signed one is rejected', async () => {
      const request = await aSignedRequest()

      expect(await send({ ...request, path: '/identity' })).toMatchObject({ __type: 'InvalidSignatureException' })
      expect(await send({ ...request, path: '/identity/?x=1' })).toMatchObject({ __type: 'InvalidSignatureException' })
    })

    test.each(['host', 'x-amz-date', 'x-amz-target'])('a request that does not sign %s is rejected', async (name) => {
      const request = await aSignedRequest()
      const authorization = (request.headers['authorization'] ?? '').replace(
        /SignedHeaders=([^,]+)/u,
        (_all, names: string) =>
          `SignedHeaders=${names
            .split(';')
            .filter((each) => each !== name)
            .join(';')}`,
      )

      expect(await send({ ...request, headers: { ...request.headers, authorization } })).toEqual({
        status: 400,
        __type: 'IncompleteSignatureException',
        message: `These headers must be signed: ${name}.`,
      })
    })

    test.each([
      ['six minutes old', -6, /^Signature expired/u],
      ['six minutes in the future', 6, /^Signature not yet current/u],
    ])('a signature that is %s is rejected', async (_what, minutes, message) => {
      const answer = await send(await aSignedRequest({ systemClockOffset: minutes * 60_000 }))

      expect(answer).toMatchObject({
        __type: 'InvalidSignatureException',
        message: expect.stringMatching(message) as string,
      })
    })

    test('a request that is signed for another service is rejected', async () => {
      const { headers, ...request } = await aSignedRequest()
      const authorization = (headers['authorization'] ?? '').replace('/cognito-idp/', '/s3/')

      expect(await send({ ...request, headers: { ...headers, authorization } })).toMatchObject({
        __type: 'InvalidSignatureException',
        message: "Credential should be scoped to correct service: 'cognito-idp'.",
      })
    })
  })

  test('a signed query is accepted whatever the order of its parameters', async () => {
    const client = clientOf()
    let signed: Seen | undefined
    client.middlewareStack.add(
      (next) => async (args) => {
        ;(args.request as { query: Record<string, string> }).query = { b: '2 3', 'a-b': "it's", a: '1' }
        return await next(args)
      },
      { step: 'build', name: 'ask with a query' },
    )
    client.middlewareStack.add(
      () => async (args) => {
        signed = seenOf(args.request as Parameters<typeof seenOf>[0])
        throw new Error('not sent')
      },
      { step: 'finalizeRequest', priority: 'low', name: 'look' },
    )
    await ask('ana', client).catch(() => undefined)

    if (!signed) throw new Error('The SDK sent nothing')
    const answer = await send({ ...signed, path: `${signed.path}?b=2%203&a-b=it%27s&a=1` })

    expect(answer.__type).toBe('UserNotFoundException')
  })

  test('AdminGetUser does not exist without a configured key, even for a signed request', async () => {
    const pool = await aPool(useDatabase(), { beside: standIn.pool })

    const answer = await send(await aSignedRequest(), pool)
    await pool.app.close()

    expect(answer).toEqual({
      status: 400,
      __type: 'UnknownOperationException',
      message: 'Unknown operation: AdminGetUser',
    })
  })

  test('a signed request for another administrator operation is rejected', async () => {
    const { headers, ...request } = await aSignedRequest()

    const answer = await send({
      ...request,
      headers: { ...headers, 'x-amz-target': TARGET.replace('AdminGetUser', 'AdminDeleteUser') },
    })

    expect(answer.__type).toBe('UnknownOperationException')
  })
})
