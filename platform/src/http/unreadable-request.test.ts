import { once } from 'node:events'
import { connect } from 'node:net'

import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { createMetrics } from '../metrics/metrics.ts'
import { createLogger } from '../runtime/logger.ts'
import { createHttp } from './kernel.ts'
import { WITHIN } from '../testing/within.ts'

let app: FastifyInstance
let port: number
const metrics = createMetrics()
const logged: string[] = []

beforeAll(async () => {
  app = createHttp({
    logger: createLogger('debug', { destination: { write: (line) => void logged.push(line) } }),
    bodyLimit: 1_000,
    problemFor: (status) => ({ type: `E${status}`, message: 'no' }),
  })
  metrics.observe(app)
  app.post('/', async () => await Promise.resolve({}))
  app.get('/large', async () => await Promise.resolve('x'.repeat(50_000_000)))
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await app.close()
})

/** Sends bytes and resets the connection once the metrics count the abort. */
async function abort(bytes: string, counted: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  await vi.waitFor(async () => {
    expect((await metrics.print()).text).toMatch(/^http_requests_in_progress\{[^}]*\} 1$/mu)
  }, WITHIN)
  socket.resetAndDestroy()
  await vi.waitFor(async () => {
    expect((await metrics.print()).text).toContain(`client_aborts_total{during="${counted}"} 1\n`)
  }, WITHIN)
}

/** Sends bytes and returns everything that comes back until the connection closes. */
async function exchange(bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { head, body }
}

// Evidence: asvs-4.2.1
test.each([
  ['text that is not HTTP', 'hello\r\n\r\n', '400', 'This is not an HTTP request'],
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', '400', 'This is not an HTTP request'],
  [
    'a body with two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    '400',
    'This is not an HTTP request',
  ],
  [
    'a request with oversized headers',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
    '431',
    'The headers are too large',
  ],
  [
    'a second Host header',
    'GET /large HTTP/1.1\r\nHost: x\r\nHOST: y\r\nConnection: close\r\n\r\n',
    '400',
    'Host: must not be sent twice',
  ],
])('%s gets a JSON error like any other bad request', async (_what, bytes, status, message) => {
  const { head, body } = await exchange(bytes)

  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'u'))
  expect(head).toContain('application/json')
  expect(JSON.parse(body)).toEqual({ type: 'E400', message })
})

test.each([
  ['request', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":'],
  ['reply', 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'],
])('a client that disconnects during the %s causes neither an error nor an outage', async (during, bytes) => {
  logged.length = 0

  await abort(bytes, during)

  expect(logged.filter((line) => !line.includes('"level":20'))).toEqual([])
  expect((await metrics.print()).text).not.toContain('outages_met_total{')
})
