import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'

import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

import { whenClosed } from './when-closed.ts'

async function serve(waitsFor: () => Promise<unknown>) {
  const app = Fastify()
  onTestFinished(async () => {
    await app.close()
  })
  const freed = Promise.withResolvers<string>()
  const asked = Promise.withResolvers<void>()
  app.get('/', async (_request, reply) => {
    asked.resolve()
    if (!reply.raw.destroyed) await Promise.race([once(reply.raw, 'close'), waitsFor()])
    whenClosed(reply, () => {
      freed.resolve('freed')
    })
    return 'here'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { freed: freed.promise, asked: asked.promise, port: (app.server.address() as AddressInfo).port }
}

// Evidence: asvs-1.4.3
test('resources held for a reply are freed after the reply is sent', async () => {
  const { freed, port } = await serve(async () => await Promise.resolve())

  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')

  expect(await freed).toBe('freed')
})

// Evidence: asvs-1.4.3
test('resources held for a reply are freed at once if its client disconnects', async () => {
  const { freed, asked, port } = await serve(async () => await new Promise(() => undefined))
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await asked

  socket.destroy()

  expect(await freed).toBe('freed')
})
