import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { type Endpoint, ENDPOINTS, MAX_BODY_BYTES } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'
import { migrate } from '@marquee/platform/database/migrate'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { TRIES_ALL } from '@marquee/platform/testing/each-database'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from './migrations/index.ts'
import { call } from './testing/call.ts'
import { aPng } from './testing/images.ts'
import { aUser } from './testing/make.ts'
import { startApp } from './testing/start-app.ts'
import { testToken } from './testing/test-accounts.ts'

const MEGABYTE = 1024 * 1024
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Garbage is collected five times a second, not fifty times: it takes long beside all that the worker has loaded. */
const COLLECTED_WITHIN = { ...WITHIN, interval: 200 }

/** How much more memory buffers take than before. Garbage is collected only if that is beyond the limit. */
function growthSince(before: number, limit: number): number {
  const growth = process.memoryUsage().arrayBuffers - before
  if (growth < limit) return growth
  collectGarbage()
  return process.memoryUsage().arrayBuffers - before
}

let folder: string
let database: Database<unknown>
let app: Awaited<ReturnType<typeof startApp>>
let port: number
const sockets: Socket[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-bodies-'))
  database = openSqlite(join(folder, 'marquee.db'))
  await migrate(database, 'product', productMigrations)
  app = await startApp(database, { limiter: localRateLimiter() })
  port = Number(new URL(await app.app.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(async () => {
  await app.stop()
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

/** Sends a request with only a part of its body. Returns the first line of the reply, once there is one. */
async function begin(path: string, headers: Readonly<Record<string, string>>, part: Buffer, method = 'POST') {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  const answer = Promise.race([
    once(socket, 'data').then(([text]) => String(text).split('\r\n')[0]),
    once(socket, 'close').then(() => 'closed without an answer'),
  ])
  const lines = Object.entries({ host: 'marquee.test', 'content-type': 'application/json', ...headers })
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  socket.write(`${head}\r\n\r\n`)
  socket.write(part)
  await new Promise((resolve) => {
    setTimeout(resolve, 10)
  })
  return { answer }
}

test('sixty unfinished bodies of anonymous clients use no memory', async () => {
  const part = Buffer.alloc(MEGABYTE, 'x')
  const chunk = Buffer.concat([Buffer.from(`${MEGABYTE.toString(16)}\r\n`), part])
  const paths = ['/api/validate-image-url', '/api/profile/avatar', '/api/watchlists/w/cards', '/nothing/here']
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers

  for (let n = 0; n < 60; n += 1) {
    const path = paths[n % paths.length] ?? ''
    if (n % 2 === 0) await begin(path, { 'content-length': String(13 * MEGABYTE) }, part)
    else await begin(path, { 'transfer-encoding': 'chunked' }, chunk)
  }

  // The sockets stay open, so that a stored body would not be collected.
  await vi.waitFor(() => {
    expect(growthSince(before, 8 * MEGABYTE)).toBeLessThan(8 * MEGABYTE)
  }, COLLECTED_WITHIN)
})

const LARGE = Object.values(ENDPOINTS as Record<string, Endpoint>).filter(
  ({ bodyLimit = MAX_BODY_BYTES }) => bodyLimit > MAX_BODY_BYTES,
)

/** One rule counts the bodies of all of them, so those with the largest and with the smallest limit are tested. */
const LIMITS = LARGE.map(({ bodyLimit = 0 }) => bodyLimit)
const TESTED = TRIES_ALL
  ? LARGE
  : [Math.max(...LIMITS), Math.min(...LIMITS)].flatMap((limit) => LARGE[LIMITS.indexOf(limit)] ?? [])

// Evidence: asvs-5.2.1
test.each(TESTED.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  'unfinished bodies of %s take at most 48 MB, and free them again',
  async (_what, { method, path, bodyLimit = 0 }) => {
    const users = Array.from({ length: 6 }, () => aUser())
    const part = Buffer.alloc(bodyLimit - MEGABYTE, 'x')
    const url = `/api${path.replaceAll(/:\w+/gu, 'w')}`
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers

    const answers: Promise<string | undefined>[] = []
    for (const user of users) {
      const headers = { authorization: `Bearer ${testToken(user)}`, 'content-length': String(bodyLimit) }
      answers.push((await begin(url, headers, part, method)).answer)
    }
    const first = await Promise.race(answers)

    expect(first).toBe('HTTP/1.1 503 Service Unavailable')
    await vi.waitFor(() => {
      expect(growthSince(before, 56 * MEGABYTE)).toBeLessThan(56 * MEGABYTE)
    }, COLLECTED_WITHIN)

    for (const socket of sockets.splice(0)) socket.destroy()
    await vi.waitFor(() => {
      expect(growthSince(before, 8 * MEGABYTE)).toBeLessThan(8 * MEGABYTE)
    }, COLLECTED_WITHIN)
    // Each of them has their own share again, once the server has seen that their body ended. To make the text of a body takes
    // longer than the call.
    const body = JSON.stringify({ imageData: 'x'.repeat(12 * MEGABYTE) })
    for (const user of users) {
      const upload = async () => (await call(app, ENDPOINTS.uploadAvatar, user, { body })).status
      await expect.poll(upload).toBe(400)
    }
  },
)

test('the list of calls with a large body is complete', () => {
  expect(LARGE.map(({ path }) => path).toSorted()).toEqual([
    '/profile/avatar',
    '/watchlists/:watchlistId/cards',
    '/watchlists/:watchlistId/cards/:cardId',
    '/watchlists/:watchlistId/image',
    '/watchlists/:watchlistId/imports',
    '/watchlists/restore',
  ])
})

test('three users who never finish their bodies do not block the uploads of others', async () => {
  const hoarders = [aUser(), aUser(), aUser()]
  const part = Buffer.alloc(16 * MEGABYTE - 64, 'x')
  const answers: Promise<string | undefined>[] = []
  for (const user of hoarders) {
    const headers = { authorization: `Bearer ${testToken(user)}`, 'content-length': String(16 * MEGABYTE) }
    answers.push((await begin('/api/watchlists/restore', headers, part)).answer)
  }
  let first: string | undefined
  void Promise.race(answers).then((answer) => {
    first = answer
  })

  const body = JSON.stringify({ imageData: 'x'.repeat(3 * MEGABYTE) })
  while (first === undefined) expect((await call(app, ENDPOINTS.uploadAvatar, aUser(), { body })).status).toBe(400)

  // One of theirs made room.
  expect(first).toBe('HTTP/1.1 503 Service Unavailable')
})

test('a user with too many unfinished large bodies gets 503, and the refused calls count toward the limit', async () => {
  const ana = aUser('ana')
  const headers = { authorization: `Bearer ${testToken(ana)}`, 'content-length': String(13 * MEGABYTE) }
  const send = async (megabytes: number) =>
    await begin('/api/profile/avatar', headers, Buffer.alloc(megabytes * MEGABYTE, 'x'))
  const upload = async (user = ana, imageData = 'no image') =>
    (await call(app, ENDPOINTS.uploadAvatar, user, { body: { imageData } })).status
  for (let n = 0; n < 28; n += 1) expect(await upload()).toBe(400)

  // Together they take more than one user may: the one that goes over is refused, whichever that is.
  const answers = [(await send(12)).answer, (await send(6)).answer]
  const refused = await Promise.race(answers)
  const own = await upload(ana, await aPng())
  const others = await upload(aUser('ben'), await aPng())

  expect(refused).toBe('HTTP/1.1 503 Service Unavailable')
  // A small image takes none of the room, but the user has made 30 calls.
  expect([own, others]).toEqual([429, 200])
})
