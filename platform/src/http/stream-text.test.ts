import { once } from 'node:events'
import { type AddressInfo, connect, Socket } from 'node:net'
import { text } from 'node:stream/consumers'

import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'

import { streamText } from './stream-text.ts'
import { WITHIN } from '../testing/within.ts'

const opened: { close: () => Promise<unknown> }[] = []
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})

/** Serves a text; resolves to its port. Errors are logged to `log`. */
async function serve(pieces: () => AsyncGenerator<string>, log: string[] = []): Promise<number> {
  const stream = { write: (line: string) => void log.push(line) }
  const app = Fastify({ forceCloseConnections: true, logger: { level: 'error', stream } })
  opened.push(app)
  app.get('/', async (_request, reply) => {
    await streamText(reply.type('text/plain; charset=utf-8'), pieces())
    return reply
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** Lines of ten bytes. */
async function* lines(count: number): AsyncGenerator<string> {
  for (let n = 0; n < count; n += 1) yield await Promise.resolve(`${String(n).padStart(9, '0')}\n`)
}

test('the small pieces of a text are sent in large chunks and in order', async () => {
  const socket = connect(await serve(() => lines(15_000)), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')

  const reply = await text(socket)
  const sizes = [...reply.matchAll(/\r\n([0-9a-f]+)\r\n/gu)].map(([, size = '']) => Number.parseInt(size, 16))
  const body = reply.slice(reply.indexOf('\r\n\r\n')).replaceAll(/\r\n[0-9a-f]+\r\n/gu, '')

  expect(sizes).toEqual([65_536, 65_536, 18_928, 0])
  expect(body).toContain('000006552\n000006553\n000006554\n')
})

test('a multi-byte character at the end of a chunk is not split', async () => {
  const port = await serve(async function* () {
    yield await Promise.resolve(`a${'🎬'.repeat(40_000)}`)
  })

  const reply = await (await fetch(`http://127.0.0.1:${port}/`)).text()

  expect(reply.length).toBe(80_001)
  expect(new Set(reply)).toEqual(new Set(['a', '🎬']))
})

test('an empty text gives an empty reply, and a HEAD request gets no body', async () => {
  const port = await serve(() => lines(0))
  const other = await serve(() => lines(3))

  const [empty, head] = await Promise.all([
    fetch(`http://127.0.0.1:${port}/`),
    fetch(`http://127.0.0.1:${other}/`, { method: 'HEAD' }),
  ])

  expect([empty.status, await empty.text()]).toEqual([200, ''])
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
})

test('a text is no longer generated after its reader disconnects', async () => {
  const ended = vi.fn<() => void>()
  const port = await serve(async function* () {
    try {
      for (;;) yield await Promise.resolve('again and again\n')
    } finally {
      ended()
    }
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(socket, 'data')

  socket.destroy()

  await vi.waitFor(() => {
    expect(ended).toHaveBeenCalledOnce()
  }, WITHIN)
})

test('a connection that the reader resets logs no error, and a text that fails logs one', async () => {
  const log: string[] = []
  const ended = vi.fn<() => void>()
  const client = new Socket()
  const port = await serve(async function* () {
    try {
      yield await Promise.resolve('a'.repeat(100_000))
      // The system knows it at once, and the server learns it from its next write.
      client.resetAndDestroy()
      yield 'a'.repeat(200_000)
    } finally {
      ended()
    }
  }, log)
  client.on('error', () => undefined)
  client.connect(port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await vi.waitFor(() => {
    expect(ended).toHaveBeenCalledOnce()
  }, WITHIN)
  expect(log).toEqual([])

  const failing = await serve(async function* () {
    yield await Promise.resolve('a'.repeat(100_000))
    throw new Error('a fault of the text')
  }, log)
  await expect(fetch(`http://127.0.0.1:${failing}/`).then(async (reply) => await reply.text())).rejects.toThrow(Error)
  expect(log).toEqual([expect.stringContaining('a fault of the text')])
})

test('a text that fails at its start gives an error reply, and a text that fails later is cut off', async () => {
  const failsAfter = async (count: number) =>
    await serve(async function* () {
      yield* lines(count)
      throw new Error('The database is away')
    })
  const [first, later] = [await failsAfter(0), await failsAfter(10_000)]

  const reply = await fetch(`http://127.0.0.1:${first}/`)
  const cut = await fetch(`http://127.0.0.1:${later}/`)

  expect(reply.status).toBe(500)
  expect(cut.status).toBe(200)
  await expect(cut.text()).rejects.toThrow('terminated')
})
