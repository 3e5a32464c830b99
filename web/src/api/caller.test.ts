// @vitest-environment node
/// <reference types="node" />
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { ApiError } from './api-error.ts'
import { type Call, type CallerPorts, createCaller } from './caller.ts'

type Answer = { status: number; body?: unknown; retryAfter?: string; etag?: string } | 'hang up'
type Asked = {
  method: string | undefined
  url: string | undefined
  authorization: string | undefined
  body: unknown
}

let server: Server
let baseUrl: string
/** The answers of the server, in order. The last one is repeated. */
let answers: Answer[]
let asked: Asked[]
/** The Idempotency-Keys of the requests, in order. */
let keys: (string | string[] | undefined)[]
/** The versions of the requests, in order. */
let versions: (string | undefined)[]
let waits: number[]
/** What happens before a call is retried. */
let onWait: () => void
let allowsGuests: boolean
let expirations: number
let tokens: { current: string | undefined | Error; renewed: string | undefined }

const watchlist = {
  id: 'w1',
  name: 'Friday film club',
  description: null,
  ownerId: 'Ana',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
  hasImage: false,
  fullImageUrl: null,
  isPrivate: false,
  members: null,
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  keys.push(request.headers['idempotency-key'])
  versions.push(request.headers['if-none-match'])
  asked.push({
    method: request.method,
    url: request.url,
    authorization: request.headers.authorization,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
  })
  const next = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'hang up'
  if (next === 'hang up') {
    request.socket.destroy()
    return
  }
  const { retryAfter, etag } = next
  const headers = {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    ...(etag !== undefined && { etag }),
  }
  response.writeHead(next.status, headers)
  response.end(typeof next.body === 'string' ? next.body : JSON.stringify(next.body))
}

beforeEach(async () => {
  asked = []
  keys = []
  versions = []
  waits = []
  onWait = () => {}
  expirations = 0
  tokens = { current: 'token-1', renewed: undefined }
  allowsGuests = false
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function aCaller(...given: Answer[]): Call {
  answers = given
  const ports: CallerPorts = {
    baseUrl,
    fetch: async (...request) => fetch(...request),
    fetchWithProgress: async (url, request, onProgress) => {
      onProgress(1)
      return fetch(url, request)
    },
    wait: async (ms) => {
      waits.push(ms)
      onWait()
    },
    allowsGuests: () => allowsGuests,
    session: {
      idToken: async () => {
        if (tokens.current instanceof Error) throw tokens.current
        return tokens.current
      },
      renewedIdToken: async () => tokens.renewed,
      expired: async () => {
        expirations += 1
      },
    },
  }
  return createCaller(ports)
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ApiError) return error
  throw new Error('It did not fail with an ApiError', { cause: error })
}

const create = async (call: Call) => call(ENDPOINTS.createWatchlist, { body: { name: 'x', description: null } })

// Evidence: asvs-1.2.2
test('a call sends the id token, parameters and body, and returns the typed reply', async () => {
  const call = aCaller({ status: 200, body: watchlist })

  const reply = await call(ENDPOINTS.updateWatchlist, {
    params: { watchlistId: 'a/b c' },
    body: { name: 'Friday film club', description: null },
  })

  expect(reply).toEqual(watchlist)
  expect(asked).toEqual([
    {
      method: 'PUT',
      url: '/watchlists/a%2Fb%20c',
      authorization: 'Bearer token-1',
      body: { name: 'Friday film club', description: null },
    },
  ])
})

test('undefined values are left out of the query', async () => {
  const call = aCaller({ status: 200, body: { cards: [], nextToken: null } })

  await call(ENDPOINTS.listCards, { params: { watchlistId: 'w1' }, query: { limit: 10, nextToken: undefined } })

  expect(asked[0]?.url).toBe('/watchlists/w1/cards?limit=10')
})

test('a call without a session fails as unauthenticated and sends nothing', async () => {
  const call = aCaller({ status: 200, body: [] })
  tokens.current = undefined

  const failure = await failureOf(call(ENDPOINTS.listWatchlists))

  expect(failure).toMatchObject({ kind: 'UNAUTHORIZED', message: 'User is not authenticated' })
  expect(asked).toEqual([])
})

test('a token renewal without a network is a network error and does not end the session', async () => {
  const call = aCaller({ status: 200, body: [] })
  tokens.current = Object.assign(new Error('A network error has occurred.'), { name: 'NetworkError' })

  const failure = await failureOf(call(ENDPOINTS.listWatchlists))

  expect(failure).toMatchObject({ kind: 'NETWORK_ERROR', message: 'Request failed: A network error has occurred.' })
  expect(expirations).toBe(0)
})

test('a token renewal whose answer cannot be read has its own error, and the call is not sent', async () => {
  const call = aCaller({ status: 200, body: [] })
  tokens.current = new SyntaxError('Unexpected token < in JSON')

  const failure = await failureOf(call(ENDPOINTS.listWatchlists))

  expect(failure).toMatchObject({ kind: 'REFRESH_ERROR', cause: tokens.current })
  expect(asked).toEqual([])
  expect(expirations).toBe(0)
})

test.each([
  [401, 'UNAUTHORIZED', 'Unauthorized access'],
  [403, 'UNAUTHORIZED', 'Unauthorized access'],
  [404, 'NOT_FOUND', 'Resource not found'],
  [400, 'BAD_REQUEST', 'Bad request'],
  [500, 'SERVER_ERROR', 'Server error: 500'],
  [418, 'SERVER_ERROR', 'Server error: 418'],
] as const)('a response with status %i and no message becomes %s with "%s"', async (status, kind, message) => {
  const failure = await failureOf(create(aCaller({ status, body: '' })))

  expect(failure).toMatchObject({ kind, message, status })
})

test('the type and the message in the body override those of the status', async () => {
  const body = { type: 'NOT_FOUND', message: 'No cards to reveal from the box' }
  const failure = await failureOf(create(aCaller({ status: 400, body })))

  expect(failure).toMatchObject({ kind: 'NOT_FOUND', message: 'No cards to reveal from the box', status: 400 })
})

test.each(['<html>502</html>', 'null', '[]', { type: 7, message: '  ' }, { type: 'SOMETHING_NEW' }])(
  'a body without a known type or message gets those of the status: %j',
  async (body) => {
    const failure = await failureOf(create(aCaller({ status: 404, body })))

    expect(failure).toMatchObject({ kind: 'NOT_FOUND', message: 'Resource not found' })
  },
)

test('a broken connection is a network error', async () => {
  const failure = await failureOf(create(aCaller('hang up')))

  expect(failure.kind).toBe('NETWORK_ERROR')
  expect(failure.message).toMatch(/^Request failed: /u)
})

test.each([{ id: 'w1' }, '', '<html>'])(
  'a response that does not match the schema is a validation error: %j',
  async (body) => {
    const failure = await failureOf(create(aCaller({ status: 201, body })))

    expect(failure.kind).toBe('VALIDATION_ERROR')
    expect(failure.message).toMatch(/^Validation error: /u)
  },
)

test.each([429, 500, 502, 503, 504])(
  'a read that fails with status %i is tried three times with growing delays',
  async (status) => {
    const failure = await failureOf(aCaller({ status, body: '' })(ENDPOINTS.listWatchlists))

    expect(failure.status).toBe(status)
    expect(asked).toHaveLength(3)
    expect(waits).toEqual([200, 400])
  },
)

test('a read is retried after the delay that the server asks for', async () => {
  const call = aCaller({ status: 503, retryAfter: '5' }, { status: 503, retryAfter: '0' }, { status: 200, body: [] })

  expect(await call(ENDPOINTS.listWatchlists)).toEqual([])
  expect(waits).toEqual([5000, 400])
})

test('a read with a long Retry-After fails at once and reports the delay', async () => {
  const call = aCaller({ status: 429, retryAfter: '60' })

  expect(await failureOf(call(ENDPOINTS.listWatchlists))).toMatchObject({ status: 429, retryAfterMs: 60_000 })
  expect(waits).toEqual([])
})

test('a read is retried after a broken connection', async () => {
  const call = aCaller('hang up', { status: 200, body: [watchlist] })

  expect(await call(ENDPOINTS.listWatchlists)).toEqual([watchlist])
})

test.each([400, 403, 404])('a read refused with status %i is not retried', async (status) => {
  await failureOf(aCaller({ status, body: '' })(ENDPOINTS.listWatchlists))

  expect(asked).toHaveLength(1)
})

test('a change is not retried', async () => {
  const call = aCaller({ status: 503, body: '' })

  await failureOf(
    call(ENDPOINTS.updateWatchlist, { params: { watchlistId: 'w1' }, body: { name: 'x', description: null } }),
  )

  expect(asked).toHaveLength(1)
  expect(keys).toEqual([undefined])
})

test('a creation is retried with the same idempotency key', async () => {
  const call = aCaller('hang up', { status: 503, body: '' }, { status: 201, body: watchlist })

  expect(await create(call)).toEqual(watchlist)

  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/u)
  expect(keys).toEqual([keys[0], keys[0], keys[0]])
})

test('each creation gets a new idempotency key unless the caller passes one', async () => {
  const call = aCaller({ status: 201, body: watchlist })

  await create(call)
  await create(call)
  await call(ENDPOINTS.createWatchlist, { body: { name: 'x', description: null }, idempotencyKey: 'as-it-was-before' })

  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe('as-it-was-before')
})

test('a rejected token is renewed once and the call is repeated', async () => {
  const call = aCaller({ status: 401, body: '' }, { status: 200, body: [] })
  tokens.renewed = 'token-2'

  expect(await call(ENDPOINTS.listWatchlists)).toEqual([])
  expect(asked.map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  expect(expirations).toBe(0)
})

test('a session ends when its renewed token is rejected', async () => {
  const call = aCaller({ status: 401, body: '' })
  tokens.renewed = 'token-2'

  const failure = await failureOf(call(ENDPOINTS.listWatchlists))

  expect(failure.kind).toBe('UNAUTHORIZED')
  expect(expirations).toBe(1)
})

/** An ID token of this user. */
const tokenOf = (sub: string) => `header.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.signature`

test('a call whose user is replaced by another one is not retried', async () => {
  tokens.current = tokenOf('ana')
  const call = aCaller('hang up', { status: 200, body: watchlist })
  onWait = () => {
    tokens.current = tokenOf('ben')
  }

  const failure = await failureOf(call(ENDPOINTS.getWatchlist, { params: { watchlistId: 'w1' } }))

  expect([failure.kind, asked.map(({ authorization }) => authorization)]).toEqual([
    'UNAUTHORIZED',
    [`Bearer ${tokenOf('ana')}`],
  ])
})

test('a refused call is not repeated with the token of another user, whose session continues', async () => {
  tokens = { current: tokenOf('ana'), renewed: tokenOf('ben') }
  const call = aCaller({ status: 401, body: {} }, { status: 200, body: watchlist })

  const failure = await failureOf(create(call))

  expect([failure.kind, asked.length, expirations]).toEqual(['UNAUTHORIZED', 1, 0])
})

test('a call is retried with a newer token of the same user', async () => {
  tokens.current = tokenOf('ana')
  const call = aCaller('hang up', { status: 200, body: watchlist })
  onWait = () => {
    tokens.current = `${tokenOf('ana')}2`
  }

  await call(ENDPOINTS.getWatchlist, { params: { watchlistId: 'w1' } })

  expect(asked.map(({ authorization }) => authorization)).toEqual([
    `Bearer ${tokenOf('ana')}`,
    `Bearer ${tokenOf('ana')}2`,
  ])
})

test('a 403 does not end the session', async () => {
  await failureOf(create(aCaller({ status: 403, body: '' })))

  expect(expirations).toBe(0)
})

test('an aborted call rejects with the abort reason and is not sent', async () => {
  const call = aCaller({ status: 200, body: [] })
  const leaving = new Error('the screen was left')

  await expect(call(ENDPOINTS.listWatchlists, { signal: AbortSignal.abort(leaving) })).rejects.toBe(leaving)
  expect(asked).toEqual([])
})

test('an upload reports the progress of its body', async () => {
  const told: number[] = []
  const call = aCaller({ status: 200, body: watchlist })

  const reply = await call(ENDPOINTS.uploadWatchlistImage, {
    params: { watchlistId: 'w1' },
    body: { imageData: 'data:image/png;base64,AA==' },
    onProgress: (sent) => told.push(sent),
  })

  expect(reply).toEqual(watchlist)
  expect(asked[0]).toMatchObject({ method: 'POST', url: '/watchlists/w1/image', authorization: 'Bearer token-1' })
  expect(told).toEqual([1])
})

test('a guest can read by link without a token but cannot write, if guests are allowed', async () => {
  tokens = { current: undefined, renewed: undefined }
  allowsGuests = true
  const call = aCaller({ status: 200, body: watchlist })

  const reply = await call(ENDPOINTS.getWatchlist, { params: { watchlistId: 'w' } })
  const failure = await failureOf(create(call))

  expect(reply).toEqual(watchlist)
  expect(asked.map(({ url, authorization }) => [url, authorization])).toEqual([['/watchlists/w', undefined]])
  expect(failure.message).toBe('User is not authenticated')
})

test('a call without a session is not sent if guests are not allowed', async () => {
  tokens = { current: undefined, renewed: undefined }
  const call = aCaller({ status: 200, body: watchlist })

  const failure = await failureOf(call(ENDPOINTS.getWatchlist, { params: { watchlistId: 'w' } }))

  expect(failure.message).toBe('User is not authenticated')
  expect(asked).toEqual([])
})

test('a page that has not changed is reused from the copy already held', async () => {
  const call = aCaller(
    { status: 200, body: { cards: [], nextToken: null }, etag: 'W/"7"' },
    { status: 304 },
    { status: 200, body: { cards: [], nextToken: 'more' }, etag: 'W/"8"' },
  )
  const params = { watchlistId: 'w1' }

  const first = await call(ENDPOINTS.listCards, { params })
  const second = await call(ENDPOINTS.listCards, { params, held: first })
  const third = await call(ENDPOINTS.listCards, { params, held: second })

  expect(first).toEqual({ cards: [], nextToken: null, version: 'W/"7"' })
  expect(second).toBe(first)
  expect(third).toEqual({ cards: [], nextToken: 'more', version: 'W/"8"' })
  expect(versions).toEqual([undefined, 'W/"7"', 'W/"7"'])
})
