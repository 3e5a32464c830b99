import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { once } from 'node:events'

import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'

import { type EventStream, type EventStreamOptions, eventStreamsOn, eventText } from './event-stream.ts'

let app: FastifyInstance | undefined
afterEach(async () => {
  await app?.close()
})

/** A server with one event stream, and a reader connected to it. */
async function aStream(options: Partial<EventStreamOptions> = {}, method = 'GET') {
  let closings = 0
  let stream: EventStream | undefined
  app = Fastify()
  const streams = eventStreamsOn(app)
  app.get('/', (incoming, reply) => {
    stream = streams.open(incoming, reply, {
      heartbeatMs: 60_000,
      lifetimeMs: 60_000,
      confirm: async () => {
        await Promise.resolve()
      },
      onClose: () => {
        closings += 1
      },
      ...options,
    })
  })
  const client = request(await app.listen({ host: '127.0.0.1', port: 0 }), { method }).end()
  const [answer] = (await once(client, 'response')) as [IncomingMessage]
  if (!stream) throw new Error('The request did not arrive')
  return { app, client, answer, stream, closings: () => closings }
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
  })
})

test('a stream ends at the next heartbeat after its reader lost access', async () => {
  const { answer } = await aStream({ heartbeatMs: 5, confirm: async () => await Promise.reject(new Error('gone')) })

  expect(await readAll(answer)).toMatch(/: alive\n\n$/u)
})

test('onClose runs when the reader disconnects', async () => {
  const { client, answer, closings } = await aStream()

  await gone(client, answer)

  await vi.waitFor(() => {
    expect(closings()).toBe(1)
  })
})

test('a slow reader is disconnected, and its backlog is freed', async () => {
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
    { timeout: 10_000, interval: 1 },
  )

  const ending = await readAll(answer).catch((error: unknown) => error)
  expect(ending).toMatchObject({ code: 'ECONNRESET' })
})

test('a closing server ends its streams without waiting for readers', async () => {
  const { app: server, answer } = await aStream()
  const reading = readAll(answer)

  await server.close()

  expect(await reading).toBe('retry: 2000\n: open\n\n')
})

test('a HEAD request opens no stream', async () => {
  const { answer, closings } = await aStream({}, 'HEAD')

  expect(await readAll(answer)).toBe('')
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  await vi.waitFor(() => {
    expect(closings()).toBe(1)
  })
})
