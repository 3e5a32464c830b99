import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { type AddressInfo, connect, Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'

import { createMetrics } from '../metrics/metrics.ts'
import { type EventStream, eventStreamsOn, eventText, type StreamReader } from './event-stream.ts'
import { logRequests } from './request-log.ts'
import { WITHIN } from '../testing/within.ts'

let app: FastifyInstance | undefined
afterEach(async () => {
  await app?.close()
})

type Options = Partial<StreamReader> & { lifetimeMs?: number }

/** A server at whose address event streams can be opened, and what it logs and counts. */
async function aServer({ lifetimeMs = 60_000, ...reader }: Options = {}) {
  let closings = 0
  const opened: (EventStream | undefined)[] = []
  const logged: unknown[] = []
  const write = (line: string): void => {
    if (line.includes('a request was answered')) logged.push(JSON.parse(line))
  }
  const loggerInstance: FastifyBaseLogger = pino({}, { write })
  const metrics = createMetrics()
  app = Fastify({ loggerInstance, logController: new LogController({ disableRequestLogging: true }) })
  logRequests(app)
  metrics.observe(app)
  const streams = eventStreamsOn(app)
  const ownReader: StreamReader = {
    heartbeatMs: 60_000,
    confirm: async () => {
      await Promise.resolve()
    },
    closed: () => {
      closings += 1
    },
    ...reader,
  }
  const first = Promise.withResolvers<string>()
  app.get('/', (incoming, reply) => {
    opened.push(streams.open(incoming, reply, ownReader, lifetimeMs))
  })
  app.get('/first', async () => await first.promise)
  app.get('/late', async (incoming, reply) => {
    await once(incoming.raw, 'close').catch(() => undefined)
    opened.push(streams.open(incoming, reply, ownReader, lifetimeMs))
    return reply
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url, first, opened, logged, metrics, closings: () => closings }
}

/** A server with one event stream, and a reader connected to it. */
async function aStream(options: Options = {}) {
  const server = await aServer(options)
  const client = request(server.url).end()
  const [answer] = (await once(client, 'response')) as [IncomingMessage]
  const [stream] = server.opened
  if (!stream) throw new Error('No stream was opened')
  return { ...server, client, answer, stream }
}

/** A connection to the server, and all bytes that have arrived on it. */
async function aConnection(server: FastifyInstance) {
  const { port } = server.server.address() as AddressInfo
  const socket: Socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
  const ended = once(socket, 'close')
  await once(socket, 'connect')
  return { socket, ended, text: () => text }
}

/** Everything that arrives until the stream ends. */
async function readAll(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk)
  return text
}

async function firstText(answer: IncomingMessage): Promise<string> {
  const [chunk] = (await once(answer, 'data')) as [Buffer]
  return chunk.toString()
}

async function gone(client: ClientRequest, answer: IncomingMessage): Promise<void> {
  client.destroy()
  if (!answer.closed) await once(answer, 'close').catch(() => undefined)
}

// Evidence: asvs-4.1.1, asvs-14.2.2
test('an event arrives as one line of data, in a stream that proxies neither buffer nor cache', async () => {
  const { answer, stream } = await aStream()

  stream.send(eventText('{"kind":"news"}'))
  stream.end()

  expect(await readAll(answer)).toBe('retry: 2000\n: open\n\ndata: {"kind":"news"}\n\n')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
})

test('a stream without events sends heartbeats', async () => {
  const { answer } = await aStream({ heartbeatMs: 5 })

  await firstText(answer)

  expect(await firstText(answer)).toBe(': alive\n\n')
})

test('a stream ends after its lifetime', async () => {
  const { answer, closings } = await aStream({ lifetimeMs: 20 })

  await readAll(answer)

  await vi.waitFor(() => {
    expect(closings()).toBe(1)
  }, WITHIN)
})

test('a stream ends at the next heartbeat after its reader lost access', async () => {
  const { answer } = await aStream({ heartbeatMs: 5, confirm: async () => await Promise.reject(new Error('gone')) })

  expect(await readAll(answer)).toMatch(/: alive\n\n$/u)
})

test('the closed callback runs when the reader disconnects', async () => {
  const { client, answer, closings } = await aStream()

  await gone(client, answer)

  await vi.waitFor(() => {
    expect(closings()).toBe(1)
  }, WITHIN)
})

test('a slow reader is disconnected once its backlog is too large', async () => {
  const { client, answer, stream, closings } = await aStream()
  client.on('error', () => undefined)
  answer.on('error', () => undefined)
  answer.pause()

  const news = eventText('x'.repeat(10_000))
  await vi.waitFor(
    () => {
      for (let n = 0; n < 100; n += 1) stream.send(news)
      expect(closings()).toBe(1)
    },
    { timeout: 30_000, interval: 1 },
  )

  const ending = await readAll(answer).catch((error: unknown) => error)
  expect(ending).toMatchObject({ code: 'ECONNRESET' })
})

test('many events at once do not disconnect a reader that keeps reading', async () => {
  const { answer, stream } = await aStream()
  const news = eventText('x'.repeat(10_000))

  for (let n = 0; n < 10; n += 1) stream.send(news)
  stream.end()

  expect((await readAll(answer)).match(/data: x{10000}\n\n/gu)).toHaveLength(10)
})

test('a closing server ends its streams without waiting for readers', async () => {
  const { app: server, answer } = await aStream()
  const reading = readAll(answer)

  await server.close()

  expect(await reading).toBe('retry: 2000\n: open\n\n')
})

test('a closing server disconnects a reader that has stopped reading', async () => {
  const { app: server, client, answer, stream, closings } = await aStream()
  client.on('error', () => undefined)
  answer.on('error', () => undefined)
  answer.pause()
  const news = eventText('x'.repeat(10_000))
  let backlog = 0
  const uncork = Reflect.get(Socket.prototype, 'uncork') as () => void
  const watched = vi.spyOn(Socket.prototype, 'uncork').mockImplementation(function write(this: Socket) {
    uncork.call(this)
    backlog = this.writableLength
  })
  while (backlog === 0) {
    stream.send(news)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  watched.mockRestore()

  await server.close()

  expect(closings()).toBe(1)
})

test('a HEAD request opens no stream', async () => {
  const { url, opened } = await aServer()
  const client = request(url, { method: 'HEAD' }).end()
  const [answer] = (await once(client, 'response')) as [IncomingMessage]

  expect(await readAll(answer)).toBe('')
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(opened).toEqual([undefined])
})

test('an HTTP/1.1 reader gets chunks and a final chunk, and then the connection closes', async () => {
  const { app: server, opened } = await aServer()
  const { socket, ended, text } = await aConnection(server)
  socket.write('GET / HTTP/1.1\r\nhost: marquee.test\r\n\r\n')
  await vi.waitFor(() => {
    expect(text()).toContain(': open')
  }, WITHIN)

  opened[0]?.send(eventText('"é"'))
  opened[0]?.end()
  await ended

  expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/u)
  expect(text()).toMatch(/\r\nconnection: close\r\n/iu)
  expect(text()).toMatch(/\r\ntransfer-encoding: chunked\r\n/iu)
  expect(text().split('\r\n\r\n').slice(1).join('\r\n\r\n')).toBe(
    '14\r\nretry: 2000\n: open\n\n\r\nc\r\ndata: "\u00c3\u00a9"\n\n\r\n0\r\n\r\n',
  )
})

test('an HTTP/1.0 reader, such as nginx by default, gets no chunks', async () => {
  const { app: server, opened } = await aServer()
  const { socket, ended, text } = await aConnection(server)
  socket.write('GET / HTTP/1.0\r\n\r\n')
  await vi.waitFor(() => {
    expect(text()).toContain(': open')
  }, WITHIN)

  opened[0]?.send(eventText('"news"'))
  opened[0]?.end()
  await ended

  expect(text()).not.toMatch(/transfer-encoding/iu)
  expect(text().split('\r\n\r\n')[1]).toBe('retry: 2000\n: open\n\ndata: "news"\n\n')
})

// Evidence: asvs-4.2.1
test('data that a reader sends after its request is not parsed as a request', async () => {
  const { app: server, first, opened } = await aServer()
  const { socket, ended, text } = await aConnection(server)
  socket.write('GET / HTTP/1.1\r\nhost: marquee.test\r\n\r\n')
  await vi.waitFor(() => {
    expect(text()).toContain(': open')
  }, WITHIN)

  first.resolve('another answer')
  socket.write('GET /first HTTP/1.1\r\nhost: marquee.test\r\n\r\n')
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  opened[0]?.send(eventText('"news"'))
  opened[0]?.end()
  await ended

  expect(text()).toMatch(/data: "news"\n\n\r\n0\r\n\r\n$/u)
  expect(text()).not.toContain('another answer')
})

test('a stream request that is pipelined behind another reply gets an empty stream', async () => {
  const { app: server, first, opened } = await aServer()
  const { socket, ended, text } = await aConnection(server)
  socket.write('GET /first HTTP/1.1\r\nhost: marquee.test\r\n\r\nGET / HTTP/1.1\r\nhost: marquee.test\r\n\r\n')
  await vi.waitFor(() => {
    expect(opened).toEqual([undefined])
  }, WITHIN)

  first.resolve('the first answer')
  await ended

  expect(text()).toMatch(/the first answerHTTP\/1\.1 200 OK[\s\S]*retry: 2000\n: open\n\n\r\n0\r\n\r\n$/u)
})

test('a request opens no stream if its reader has already disconnected', async () => {
  const { app: server, opened, closings } = await aServer()
  const asked = once(server.server, 'request')
  const { socket } = await aConnection(server)
  socket.write('GET /late HTTP/1.1\r\nhost: marquee.test\r\n\r\n')
  await asked

  socket.destroy()
  await vi.waitFor(() => {
    expect(opened).toEqual([undefined])
  }, WITHIN)

  expect(closings()).toBe(0)
})

test('the request log and the metrics count a stream as one request, from its opening to its end', async () => {
  const { client, answer, logged, metrics } = await aStream()
  const during = (await metrics.print()).text
  const loggedDuring = logged.length

  await gone(client, answer)
  await vi.waitFor(() => {
    expect(logged).toHaveLength(1)
  }, WITHIN)
  const after = (await metrics.print()).text

  expect(during).toMatch(/^http_requests_in_progress\{route="\/"\} 1$/mu)
  expect(during).not.toMatch(/^http_request_duration_seconds_count/mu)
  expect(loggedDuring).toBe(0)
  expect(after).toMatch(/^http_requests_in_progress\{route="\/"\} 0$/mu)
  expect(after).toMatch(/^http_request_duration_seconds_count\{method="GET",route="\/",status="200"\} 1$/mu)
  expect(after).not.toMatch(/^client_aborts_total\{/mu)
  expect(logged[0]).toMatchObject({ method: 'GET', route: '/', status: 200 })
})

// Evidence: asvs-1.4.3
test('an open stream does not keep its request, its reply or their connection in memory', async () => {
  const { app: server, url, opened } = await aServer()
  const kept: WeakRef<object>[] = []
  server.server.prependListener('request', (incoming: IncomingMessage, response: ServerResponse) => {
    kept.push(new WeakRef(incoming), new WeakRef(response), new WeakRef(incoming.socket))
  })
  const client = request(url).end()
  await once(client, 'response')

  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  await vi.waitFor(() => {
    collectGarbage()
    expect(kept.map((reference) => reference.deref() !== undefined)).toEqual([false, false, false])
  }, WITHIN)

  expect(opened[0]).toBeDefined()
  client.destroy()
})
