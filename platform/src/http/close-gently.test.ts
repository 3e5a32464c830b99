import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'

import { type ClientThread, startClientThread } from '../testing/client-thread.ts'
import { closeGently } from './close-gently.ts'

const REQUEST = 'GET / HTTP/1.1\r\nhost: marquee.test\r\n\r\n'
const GRACE_MS = 50
const TRYING_MS = 300

const clients: ClientThread[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const thread of clients.splice(0)) await thread.stop()
})

async function aServer({
  answer = async () => 'here',
  host = '127.0.0.1',
}: Partial<{ answer: () => Promise<string>; host: string }> = {}) {
  const app = Fastify({ return503OnClosing: false })
  app.get('/', answer)
  closeGently(app, GRACE_MS)
  await app.listen({ host, port: 0 })
  const { port } = app.server.address() as AddressInfo
  const thread = await startClientThread()
  clients.push(thread)
  return { app, port, thread }
}

/** Calls `act` at the last moment before the listening socket is closed. */
function rightBeforeTheClose(act: () => void): void {
  const close = Object.getOwnPropertyDescriptor(Server.prototype, 'close')?.value as Server['close']
  vi.spyOn(Server.prototype, 'close').mockImplementationOnce(function closeLate(this: Server, callback) {
    act()
    return close.call(this, callback)
  })
}

test.each(['127.0.0.1', '0.0.0.0'])(
  'a client that connects right before a server at %s stops listening is refused, not reset',
  async (host) => {
    const { app, port, thread } = await aServer({ host })
    rightBeforeTheClose(() => {
      thread.open(port, 20, REQUEST)
      // None of them succeeds. Time for the other thread to try.
      thread.standStillUntil(20, TRYING_MS)
    })

    await app.close()

    expect(await thread.outcomes(20)).toEqual(Array.from({ length: 20 }, () => 'ECONNREFUSED'))
  },
)

test('connections that wait when the server begins to close are served', async () => {
  const { app, port, thread } = await aServer()
  thread.open(port, 200, REQUEST)
  thread.standStillUntil(200)

  await app.close()

  expect(await thread.outcomes(200)).toEqual(Array.from({ length: 200 }, () => 1))
})

test('a request on a kept-alive connection is answered even if the process is blocked past the grace period', async () => {
  const { app, port, thread } = await aServer()
  const answered = Promise.withResolvers<void>()
  app.server.once('request', (_request, reply: ServerResponse) => reply.once('finish', answered.resolve))
  thread.open(port, 1, REQUEST)
  await answered.promise
  rightBeforeTheClose(() => {
    // Timers are next in the event loop, before what the connection has sent is read.
    setImmediate(() => {
      thread.send(REQUEST)
      thread.standStillUntil(2)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * GRACE_MS)
    })
  })

  await app.close()

  expect(await thread.outcomes(1)).toEqual([2])
})

test('a connection on which nothing was sent does not keep the server open', async () => {
  const { app, port, thread } = await aServer()
  const accepted = once(app.server, 'connection')
  thread.open(port, 1, '')
  await accepted

  await app.close()

  expect(await thread.outcomes(1)).toEqual([0])
})

test('the server waits for the reply to a connection that it accepted while it closed', async () => {
  const asked = Promise.withResolvers<void>()
  const reply = Promise.withResolvers<string>()
  const { app, port } = await aServer({
    answer: async () => {
      asked.resolve()
      return await reply.promise
    },
  })
  const happened: string[] = []
  const socket = connect(port, '127.0.0.1')
  socket.on('data', () => happened.push('replied')).on('error', () => happened.push('reset'))
  const ended = once(socket, 'close')
  socket.write(REQUEST)
  const closed = app.close().then(() => happened.push('closed'))
  await asked.promise
  await pause(3 * GRACE_MS)
  reply.resolve('late')
  await Promise.all([ended, closed])

  expect(happened).toEqual(['replied', 'closed'])
})
