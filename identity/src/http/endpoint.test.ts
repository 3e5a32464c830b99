import { once } from 'node:events'
import { connect } from 'node:net'

import type { Database } from '@marquee/platform/database/database'
import { createLogger } from '@marquee/platform/runtime/logger'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { aPool, POOL_TABLES, type RunningPool } from '../testing/a-pool.ts'

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  beforeAll(async () => {
    pool = await aPool(useDatabase())
  })
  afterAll(async () => {
    await pool.close()
  })

  const target = (operation: string) => ({ 'x-amz-target': `AWSCognitoIdentityProviderService.${operation}` })
  const post = async (headers: Record<string, string>, payload: string, url = '/identity') =>
    await pool.app.inject({ method: 'POST', url, headers, payload })
  const forgot = () =>
    JSON.stringify({ ClientId: pool.identity.pool.userPoolClientId, Username: 'unknown@example.com' })

  // Evidence: asvs-3.4.2, asvs-4.1.1, asvs-14.3.2
  test.each(['/identity', '/identity/', '/identity/?x=1'])('the endpoint answers at %s', async (url) => {
    const reply = await post({ ...target('ForgotPassword'), 'content-type': 'application/json' }, forgot(), url)

    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'cache-control': 'no-store',
      'x-amzn-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date',
    })
  })

  test('a body is parsed as JSON with any content type', async () => {
    const headers = { ...target('ForgotPassword'), 'content-type': 'text/plain' }

    expect((await post(headers, forgot())).statusCode).toBe(200)
  })

  test('an error is named in the header and the body, and pages of any origin can read it', async () => {
    const reply = await post(target('GetUser'), JSON.stringify({ AccessToken: 'nonsense' }))

    expect(reply.statusCode).toBe(400)
    expect(reply.headers).toMatchObject({
      'x-amzn-errortype': 'NotAuthorizedException:',
      'x-amzn-errormessage': 'Invalid Access Token',
      'access-control-allow-origin': '*',
    })
    expect(reply.json()).toEqual({ __type: 'NotAuthorizedException', message: 'Invalid Access Token' })
  })

  test.each([
    ['AdminDeleteUser', 'UnknownOperationException', 'Unknown operation: AdminDeleteUser'],
    ['constructor', 'UnknownOperationException', 'Unknown operation: constructor'],
    ['signup', 'UnknownOperationException', 'Unknown operation: signup'],
  ])('the unknown operation %s gets a named error', async (name, type, message) => {
    expect((await post(target(name), '{}')).json()).toEqual({ __type: type, message })
  })

  test.each([
    '',
    'no json',
    '[]',
    'null',
    '"text"',
    '{"ClientId": 5, "Username": "zoe"}',
    '{"ClientId": "a", "Username": {"length": {"toString": 1, "valueOf": 1}}}',
    '{"ClientId": {"length": {"toString": 1, "valueOf": 1}}, "Username": "zoe"}',
  ])('the body %s is rejected with a SerializationException', async (body) => {
    const reply = await post(target('ForgotPassword'), body)

    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ __type: 'SerializationException' })
  })

  test('a body over 64 KiB is rejected', async () => {
    const reply = await post(target('SignUp'), JSON.stringify({ Username: 'x'.repeat(65_536) }))

    expect(reply.statusCode).toBe(413)
    expect(reply.json()).toMatchObject({ __type: 'RequestEntityTooLargeException' })
  })

  test('all violated constraints are listed in one message, in the words of Cognito', async () => {
    const ClientId = pool.identity.pool.userPoolClientId
    const reply = await post(target('SignUp'), JSON.stringify({ ClientId, Username: '' }))

    expect(reply.json()).toEqual({
      __type: 'InvalidParameterException',
      message: [
        "3 validation errors detected: Value at 'username' failed to satisfy constraint: ",
        'Member must have length greater than or equal to 1; ',
        "Value at 'username' failed to satisfy constraint: ",
        String.raw`Member must satisfy regular expression pattern: [\p{L}\p{M}\p{S}\p{N}\p{P}]+; `,
        "Value at 'password' failed to satisfy constraint: Member must not be null",
      ].join(''),
    })
  })

  test('a deeply nested body gets a SerializationException, like any body of the wrong shape', async () => {
    const nested = `{"UserAttributes":${'['.repeat(30_000)}${']'.repeat(30_000)}}`

    const reply = await post(target('SignUp'), nested)

    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ __type: 'SerializationException' })
  })

  test('a request with thousands of invalid members gets a short message with their number', async () => {
    const ClientId = pool.identity.pool.userPoolClientId
    const UserAttributes = Array.from({ length: 5000 }, () => ({}))
    const body = { ClientId, Username: 'zoe', Password: 'Passw0rdX', UserAttributes }

    const reply = await post(target('SignUp'), JSON.stringify(body))

    expect(reply.json<{ message: string }>().message).toMatch(
      /^5000 validation errors detected: Value at 'userAttributes\.1\.member\.name' failed to satisfy constraint/u,
    )
    expect(reply.body.length).toBeLessThan(2000)
    expect(String(reply.headers['x-amzn-errormessage']).length).toBeLessThanOrEqual(1024)
  })

  test('a value that is not in its enum is rejected with the list of allowed values', async () => {
    const ClientId = pool.identity.pool.userPoolClientId
    const reply = await post(target('InitiateAuth'), JSON.stringify({ ClientId, AuthFlow: 'MAGIC' }))

    expect(reply.json()).toMatchObject({
      __type: 'InvalidParameterException',
      message: expect.stringContaining(
        "Value 'MAGIC' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: [USER_SRP_AUTH,",
      ) as string,
    })
  })

  test('an unknown client is rejected with its id in the message', async () => {
    const reply = await post(target('ForgotPassword'), JSON.stringify({ ClientId: 'stranger', Username: 'zoe' }))

    expect(reply.json()).toEqual({
      __type: 'ResourceNotFoundException',
      message: 'User pool client stranger does not exist.',
    })
  })

  // Evidence: asvs-15.3.6
  test('a parameter named __proto__ is rejected as malformed', async () => {
    const ClientId = pool.identity.pool.userPoolClientId
    const body = `{"ClientId":"${ClientId}","AuthFlow":"USER_SRP_AUTH","AuthParameters":{"__proto__":{"USERNAME":"zoe"}}}`

    expect((await post(target('InitiateAuth'), body)).json()).toMatchObject({ __type: 'SerializationException' })
  })

  // Evidence: asvs-16.5.1
  test('an unexpected error gives a plain 500, and the log names the operation but no user', async () => {
    const lines: string[] = []
    const logger = createLogger('error', { destination: { write: (line) => void lines.push(line) } })
    let isBroken = false
    const database: Database<unknown> = { ...useDatabase(), withTables: <T>() => database as Database<T> }
    const working = database.transaction
    database.transaction = async (work) => {
      if (!isBroken) return await working(work)
      throw Object.assign(new Error('duplicate key'), { detail: 'Key (name_key)=(zoe@example.com) already exists.' })
    }
    const faulty = await aPool(database, { logger, beside: pool })
    isBroken = true

    const reply = await faulty.call('ForgotPassword', { Username: 'zoe@example.com' })

    expect(reply).toEqual({
      status: 500,
      body: { __type: 'InternalErrorException', message: 'Something went wrong' },
    })
    expect(lines.join('')).toContain('"operation":"ForgotPassword"')
    expect(lines.join('')).not.toContain('zoe@example.com')
    isBroken = false
    await faulty.close()
  })

  test('a client that disconnects while it sends a sign-in causes no error and no failed sign-in', async () => {
    const lines: string[] = []
    const results: string[] = []
    const other = await aPool(useDatabase(), {
      beside: pool,
      logger: createLogger('debug', { destination: { write: (line) => void lines.push(line) } }),
      settings: { onSignIn: (result) => void results.push(result) },
    })
    const { port } = new URL(await other.app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const head = ['POST /identity/ HTTP/1.1', 'Host: x', 'X-Amz-Target: x.InitiateAuth', 'Content-Length: 100']
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await once(other.app.server, 'request')
    socket.resetAndDestroy()
    await vi.waitFor(() => {
      expect(lines.join('')).toContain('the client closed the connection')
    }, WITHIN)
    await other.close()

    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
    expect(results).toEqual([])
  })

  // Evidence: asvs-3.4.2
  test('a page of another origin may call the endpoint', async () => {
    const reply = await pool.app.inject({
      method: 'OPTIONS',
      url: '/identity/',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-amz-target,x-amz-user-agent',
      },
    })

    expect(reply.statusCode).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'content-type,x-amz-target,x-amz-user-agent',
    })
  })
})
