import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { freePort } from '@marquee/platform/testing/free-port'

import { clientOf } from './testing/api-client.ts'
import { failToStart, startServer } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'

// Each test starts real processes.
let folder: string
let port: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-main-'))
  port = String(await freePort())
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('a server that is stopped finishes running requests and exits with 0', async () => {
  const dataDir = join(folder, 'ends')
  const server = await startServer({ PORT: port, DATA_DIR: dataDir })
  const api = clientOf(server, await signUp({ url: server.url, dataDir, name: 'ben' }))
  const underWay = Array.from({ length: 20 }, async () => await api('POST', '/watchlists', { name: 'Last minute' }))
  await Promise.race(underWay)

  const code = await server.end('SIGTERM')
  const endings = await Promise.allSettled(underWay)

  expect(code).toBe(0)
  // Late requests were refused as a whole; none was cut off.
  const statuses = endings.map((ending) => (ending.status === 'fulfilled' ? ending.value.status : 'refused'))
  expect(statuses.every((status) => status === 201 || status === 503 || status === 'refused')).toBe(true)
  expect(server.output()).not.toMatch(/error/iu)
})

test('the first start says where to create the first account, and later ones do not', async () => {
  const DATA_DIR = join(folder, 'first')
  const linesOf = async (settings: Record<string, string>) => {
    const server = await startServer({ PORT: port, ...settings })
    await server.end('SIGTERM')
    return server
      .output()
      .split('\n')
      .filter((line) => line.includes('account'))
  }

  expect([await linesOf({ DATA_DIR }), await linesOf({ DATA_DIR })]).toEqual([
    [expect.stringMatching(/^No one has an account yet\. Create the first one at http:\S+\/setup\?code=[\w-]{22}$/u)],
    [],
  ])
})

test('wrong settings prevent the start and are all listed, before anything is opened', async () => {
  const dataDir = join(folder, 'wrong')

  const { code, output } = await failToStart({
    PORT: 'eighty',
    REDIS_URL: 'x',
    LOG_LEVEL: 'x',
    DATA_DIR: dataDir,
  })

  expect(code).toBe(1)
  expect(output).toMatch(/PORT: .+\n.*REDIS_URL: .+\n.*LOG_LEVEL: /u)
  await expect(rm(dataDir, { recursive: true })).rejects.toThrow('ENOENT')
})

test('a port in use is reported in one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const PORT = typeof address === 'object' && address !== null ? String(address.port) : ''

  const { code, output } = await failToStart({ PORT, DATA_DIR: join(folder, 'taken') })
  taken.close()

  expect({ code, output }).toEqual({
    code: 1,
    output: `Port ${PORT} on 127.0.0.1 is taken: stop what listens there, or choose another PORT.\n`,
  })
})

test('a database that cannot be reached is reported in one sentence, without its password', async () => {
  const closedPort = await freePort()
  const DATABASE_URL = `postgres://marquee:secret@127.0.0.1:${closedPort}/marquee`

  const { code, output } = await failToStart({ PORT: port, DATA_DIR: join(folder, 'unreachable'), DATABASE_URL })

  expect(code).toBe(1)
  expect(output).toContain(`The database at postgres://marquee@127.0.0.1:${closedPort}/marquee cannot be used: `)
  expect(output).not.toContain('secret')
})

test('a Redis or a bucket that cannot be reached is reported in one sentence, without any secret', async () => {
  const closed = await freePort()

  const redis = await failToStart({
    PORT: port,
    DATA_DIR: join(folder, 'no-redis'),
    REDIS_URL: `redis://:secret@127.0.0.1:${closed}`,
  })
  const bucket = await failToStart({
    PORT: port,
    DATA_DIR: join(folder, 'no-bucket'),
    S3_BUCKET: 'posters',
    S3_ENDPOINT: `http://127.0.0.1:${closed}`,
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  })

  expect([redis.code, bucket.code]).toEqual([1, 1])
  expect(redis.output).toMatch(new RegExp(`^Redis at redis://127.0.0.1:${closed} cannot be used: .+\\.\n$`, 'u'))
  expect(bucket.output).toMatch(
    new RegExp(`^The S3 bucket posters at http://127.0.0.1:${closed} cannot be used: .+\\.\n$`, 'u'),
  )
  expect(redis.output + bucket.output).not.toContain('secret')
})

test('an unusable data directory is reported in one sentence', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')

  const { code, output } = await failToStart({ PORT: port, DATA_DIR: join(file, 'data') })

  expect({ code, output }).toEqual({
    code: 1,
    output: `${join(file, 'data')} cannot be written to (ENOTDIR): choose another DATA_DIR.\n`,
  })
})
