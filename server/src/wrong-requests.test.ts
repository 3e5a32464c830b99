import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'

import {
  type Endpoint,
  type EndpointName,
  ENDPOINTS,
  MAX_BODY_BYTES,
  MAX_IMAGE_BODY_BYTES,
} from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { anApp } from './testing/start-app.ts'
import { testToken } from './testing/test-accounts.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const
type Method = (typeof METHODS)[number]

const endpoints = Object.entries(ENDPOINTS) as [EndpointName, Endpoint][]
/** A GET of `/profile/avatar` reads the profile of a user with that name. */
const methodsAt = (path: string) => {
  const paths = path === '/profile/avatar' ? [path, '/profile/:username'] : [path]
  return endpoints.flatMap(([, endpoint]) => (paths.includes(endpoint.path) ? [endpoint.method as Method] : []))
}
const allowedAt = (path: string): Method[] =>
  methodsAt(path).flatMap((method): Method[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

const wrongMethods = [...new Set(endpoints.map(([, { path }]) => path))].flatMap((path) =>
  METHODS.filter((method) => !allowedAt(path).includes(method)).map((method): [Method, string] => [method, path]),
)
const taking = endpoints.filter(([, { body }]) => body !== undefined).map(([name]) => name)
const takingNone = endpoints.filter(([, { body }]) => body === undefined).map(([name]) => name)

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  /** Sends a request to a path with any parameters. */
  const send = async (method: Method, path: string, options: InjectOptions = {}) =>
    await theApp().app.inject({
      method,
      url: `/api${path.replaceAll(/:\w+/gu, 'anything')}`,
      ...options,
      headers: { authorization: `Bearer ${testToken(aUser())}`, ...options.headers },
    })

  // Evidence: asvs-3.5.3, asvs-13.4.4
  test.each(wrongMethods)('%s %s gets 405 and the allowed methods', async (method, path) => {
    const { statusCode, headers, body } = await send(method, path, {
      payload: '{',
      headers: { 'content-type': 'application/json' },
    })

    expect(statusCode).toBe(405)
    expect(String(headers['allow']).split(', ').toSorted()).toEqual(allowedAt(path).toSorted())
    const problem = method === 'HEAD' ? '' : '{"type":"METHOD_NOT_ALLOWED","message":"Method not allowed"}'
    expect(body).toBe(problem)
  })

  // Evidence: asvs-3.5.2
  test.each(taking)('%s rejects a body whose content type is not JSON', async (name) => {
    const { method, path } = ENDPOINTS[name]

    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'multipart/form-data; boundary=x',
      'nonsense',
    ]
    const answers = await Promise.all(
      types.map(async (type) => await send(method, path, { payload: 'x', headers: { 'content-type': type } })),
    )

    for (const answer of answers) {
      expect(answer.statusCode).toBe(415)
      expect(answer.json()).toEqual({
        type: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'The content type must be application/json',
      })
    }
  })

  // Evidence: asvs-5.2.1
  test.each(taking)('%s rejects a body above its limit without reading it', async (name) => {
    const { method, path, ...rest } = ENDPOINTS[name]
    const usual = 'takesImage' in rest ? MAX_IMAGE_BODY_BYTES : MAX_BODY_BYTES
    const longest = 'bodyLimit' in rest ? rest.bodyLimit : usual

    const { statusCode, body } = await send(method, path, {
      payload: '{}',
      headers: { 'content-type': 'application/json', 'content-length': String(longest + 1) },
    })

    expect(statusCode).toBe(413)
    expect(JSON.parse(body)).toEqual({ type: 'PAYLOAD_TOO_LARGE', message: 'The request is too large' })
  })

  // Large bodies are parsed after the access check: `parsing/parser.test.ts`.
  test.each(taking.filter((name) => !('rawBody' in ENDPOINTS[name])))(
    '%s rejects a body that is not valid JSON',
    async (name) => {
      const { method, path } = ENDPOINTS[name]

      const bodies = ['{', '{"a":1,}', '"', 'undefined', '[[[', '\uFEFF']
      const answers = await Promise.all(
        bodies.map(
          async (payload) => await send(method, path, { payload, headers: { 'content-type': 'application/json' } }),
        ),
      )

      for (const answer of answers) {
        expect(answer.statusCode).toBe(400)
        expect(answer.json()).toMatchObject({
          type: 'BAD_REQUEST',
          message: expect.stringMatching(/^body: /u) as string,
        })
      }
    },
  )

  const paged = endpoints.flatMap(([name, { query }]) => (query && 'limit' in query.shape ? [name] : []))
  // Evidence: asvs-15.3.7
  test.each(paged)('%s rejects a parameter that is sent twice', async (name) => {
    const { method, path } = ENDPOINTS[name]

    const answer = await send(method, `${path}?limit=1&limit=2`)

    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ type: 'BAD_REQUEST' })
  })

  test.each(takingNone)('%s rejects any body before it is parsed', async (name) => {
    const { method, path } = ENDPOINTS[name]
    const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-that-is-long-enough' }

    const answers = await Promise.all([
      ...['{}', '{', 'null', nested].map(async (payload) => await send(method, path, { payload, headers })),
      send(method, path, { payload: '', headers: { ...headers, 'content-length': '20000000' } }),
      send(method, path, { payload: '{}', headers: { ...headers, 'content-type': 'text/plain' } }),
      send(method, path, { payload: '{}', headers: { ...headers, 'transfer-encoding': 'chunked' } }),
    ])

    for (const answer of answers) {
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ type: 'BAD_REQUEST', message: 'body: this call takes no body' })
    }
  })

  test('a call that takes no body accepts an empty one', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    await aCard(theApp(), { inside: watchlist, by: owner })
    const params = { watchlistId: watchlist.id }

    const answer = await call(theApp(), ENDPOINTS.revealRandomCard, owner, { params, body: '' })

    expect(answer.status).toBe(200)
  })

  // Evidence: asvs-1.1.1, asvs-1.2.4
  test.each(['\0', '%', 'a/b', '../..', 'x'.repeat(65), 'x'.repeat(2_000), "' or 1=1 --", 'ü'])(
    'a path with the id %j gets 404',
    async (watchlistId) => {
      const answer = await call(theApp(), ENDPOINTS.getWatchlist, aUser(), { params: { watchlistId } })

      expect(answer.status).toBe(404)
      expect(answer.body.type).toBe('NOT_FOUND')
    },
  )

  test.each(endpoints.map(([name]) => name))(
    'a path below %s that the contract does not have gets 404',
    async (name) => {
      const { method, path } = ENDPOINTS[name]

      const answers = await Promise.all(
        ['/nothing/here/at/all', '/%2F/%00/%2F/x', ';x=1/y/z/a'].map(
          async (rest) => await send(method, `${path}${rest}`),
        ),
      )

      for (const answer of answers) {
        expect(answer.statusCode).toBe(404)
        expect(answer.json()).toEqual({ type: 'NOT_FOUND', message: 'Resource not found' })
      }
    },
  )
})
