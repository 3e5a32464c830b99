import { PassThrough } from 'node:stream'

import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { readTextBody } from './json-bodies.ts'

const LIMIT = 1_000
const WAIT = { timeout: 60_000, interval: 50 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A body that is being received, and the result. */
function aBody(length?: number) {
  const payload = new PassThrough()
  const headers = length === undefined ? {} : { 'content-length': String(length) }
  const request = { headers, routeOptions: { bodyLimit: LIMIT } } as Pick<FastifyRequest, 'headers' | 'routeOptions'>
  const read = readTextBody(request, payload)
  read.catch(() => undefined)
  return { payload, read }
}

test('a body whose chunks split characters is read correctly', async () => {
  const bytes = Buffer.from('Amélie 🎬 Ödön')
  const { payload, read } = aBody(bytes.length)

  for (const byte of bytes) payload.write(Buffer.from([byte]))
  payload.end()

  expect(await read).toBe('Amélie 🎬 Ödön')
})

test.each([
  ['announces more', LIMIT + 1, ''],
  ['sends more', undefined, 'x'.repeat(LIMIT + 1)],
])('a body that %s than the route allows is refused', async (_what, announced, text) => {
  const { payload, read } = aBody(announced)
  payload.write(text)

  await expect(read).rejects.toMatchObject({ statusCode: 413 })
})

test('a body shorter than its Content-Length is rejected', async () => {
  const { payload, read } = aBody(5)
  payload.end('four')

  await expect(read).rejects.toMatchObject({ statusCode: 400 })
})

test('a body longer than its Content-Length is rejected', async () => {
  const { payload, read } = aBody(5)
  payload.end('sixsix')

  await expect(read).rejects.toMatchObject({ statusCode: 400 })
})

test('an arriving body takes no more memory than it announced', async () => {
  const before = process.memoryUsage().arrayBuffers
  const bodies = Array.from({ length: 200 }, () => aBody(10))
  for (const { payload } of bodies) payload.write('x')
  await vi.waitFor(() => {
    expect(bodies.every(({ payload }) => payload.readableLength === 0)).toBe(true)
  }, WAIT)

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(500_000)
  for (const { payload } of bodies) payload.destroy()
})

test('the bytes of a body are freed as soon as it is decoded', async () => {
  const piece = Buffer.from('x'.repeat(500))
  const before = process.memoryUsage().arrayBuffers
  for (let nth = 0; nth < 2_000; nth += 1) {
    const { payload, read } = aBody()
    payload.end(piece)
    await read
  }

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(500_000)
})

test('a slow body is rejected with 408 after 15 seconds', async () => {
  const { payload, read } = aBody(500)
  let isOver = false
  read.catch(() => {
    isOver = true
  })

  for (let second = 0; second < 15; second += 1) {
    payload.write('x')
    await vi.advanceTimersByTimeAsync(1_000)
  }
  const before = isOver
  await vi.advanceTimersByTimeAsync(10)

  expect(before).toBe(false)
  await expect(read).rejects.toMatchObject({ statusCode: 408 })
})

test('a connection that breaks during the body counts as a client error', async () => {
  const { payload, read } = aBody(500)
  payload.write('x')
  payload.destroy(new Error('aborted'))

  await expect(read).rejects.toMatchObject({ message: 'aborted', statusCode: 400 })
})

test('a large body that arrives too slowly for 15 seconds is rejected with 408', async () => {
  const payload = new PassThrough()
  const request = { headers: {}, routeOptions: { bodyLimit: 16_000_000 } } as Parameters<typeof readTextBody>[0]
  const read = readTextBody(request, payload)
  let isOver = false
  read.catch(() => {
    isOver = true
  })

  payload.write('x'.repeat(1_000_000))
  await vi.advanceTimersByTimeAsync(15_000)
  const before = isOver
  payload.write('x'.repeat(100_000))
  await vi.advanceTimersByTimeAsync(15_000)

  expect(before).toBe(false)
  await expect(read).rejects.toMatchObject({ statusCode: 408 })
})
