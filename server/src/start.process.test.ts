import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { freePort } from '@marquee/platform/testing/free-port'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'
import { type RedisServer, startRedis } from '@marquee/platform/testing/redis-server'
import { S3_BUCKET, S3_KEYS, type S3Server, startS3 } from '@marquee/platform/testing/s3-server'

import { failToStart, startServer } from './testing/server-process.ts'

let folder: string
let port: string
/** The data folder of a server that was started once, and what it printed. */
let startedDir: string
let printed: string
let redis: RedisServer
let s3: S3Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-start-'))
  port = String(await freePort())
  startedDir = join(folder, 'started')
  printed = await outputOf(startedDir)
  ;[redis, s3] = await Promise.all([startRedis(), startS3()])
})
afterAll(async () => {
  await Promise.all([redis.kill(), s3.stop()])
  await rm(folder, { recursive: true, force: true })
})

/** Starts a server and stops it again, and returns what it printed. */
async function outputOf(dataDir: string): Promise<string> {
  const server = await startServer({ PORT: port, DATA_DIR: dataDir })
  await server.end('SIGTERM')
  return server.output()
}

/** What a server process with these settings prints before it exits. */
async function complaint(settings: Readonly<Record<string, string>>): Promise<string> {
  const { code, output } = await failToStart({ PORT: port, DATA_DIR: join(folder, 'data'), ...settings })
  expect(code).toBe(1)
  return output
}

test('only the first start prints where to create the first account', async () => {
  const again = join(folder, 'again')
  await cp(startedDir, again, { recursive: true })
  const linesOf = (output: string) => output.split('\n').filter((line) => line.includes('account'))

  expect([linesOf(printed), linesOf(await outputOf(again))]).toEqual([
    [expect.stringMatching(/^No one has an account yet\. Create the first one at http:\S+\/setup\?code=[\w-]{22}$/u)],
    [],
  ])
})

test('wrong settings prevent the start and are all listed, before anything is opened', async () => {
  const dataDir = join(folder, 'wrong')

  const output = await complaint({ PORT: 'eighty', REDIS_URL: 'x', LOG_LEVEL: 'x', DATA_DIR: dataDir })

  expect(output).toMatch(/PORT: .+\n.*REDIS_URL: .+\n.*LOG_LEVEL: /u)
  expect(existsSync(dataDir)).toBe(false)
})

test.each(['PORT', 'METRICS_PORT'])(
  'a %s in use is reported in one sentence with the name of the setting',
  async (name) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const number = typeof address === 'object' && address !== null ? String(address.port) : ''

    const output = await complaint({ [name]: number })
    taken.close()

    expect(output).toBe(`Port ${number} on 127.0.0.1 is taken: stop what listens there, or choose another ${name}.\n`)
  },
)

test.each([
  [
    'a database',
    (host: string) => ({ DATABASE_URL: `postgres://marquee:secret@${host}/marquee` }),
    (host: string) => `The database at postgres://marquee@${host}/marquee`,
  ],
  [
    'a Redis',
    (host: string) => ({ REDIS_URL: `redis://:secret@${host}` }),
    (host: string) => `Redis at redis://${host}`,
  ],
  [
    'a bucket',
    (host: string) => ({
      S3_BUCKET: 'posters',
      S3_ENDPOINT: `http://${host}`,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    }),
    (host: string) => `The S3 bucket posters at http://${host}`,
  ],
])('%s that cannot be reached is reported in one sentence, without any secret', async (_what, settings, begin) => {
  const host = `127.0.0.1:${await freePort()}`

  const output = await complaint(settings(host))

  expect(output.split(' cannot be used: ')).toEqual([begin(host), expect.stringMatching(/^.+\.\n$/u)])
  expect(output).not.toContain('secret')
})

test('an unusable data directory is reported in one sentence', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')

  expect(await complaint({ DATA_DIR: join(file, 'data') })).toBe(
    `${join(file, 'data')} cannot be written to (ENOTDIR): choose another DATA_DIR.\n`,
  )
})

test.each([
  ['without its password', { password: '' }, 'it wants a password'],
  ['with an unknown database', { pathname: '/nowhere' }, 'database "nowhere" does not exist'],
  [
    'with TLS, which the server does not support',
    { search: '?sslmode=verify-full' },
    'The server does not support SSL connections',
  ],
])('a PostgreSQL URL %s is reported in one sentence', async (_how, change, reason) => {
  const url = Object.assign(new URL(await freshPostgresUrl()), change)
  const shown = Object.assign(new URL(url), { password: '', search: '' })

  expect(await complaint({ DATABASE_URL: url.href })).toBe(`The database at ${shown.href} cannot be used: ${reason}.\n`)
})

test('a server that is not PostgreSQL is reported in one sentence', async () => {
  const url = `postgres://marquee:secret@${new URL(s3.url).host}/marquee`

  expect(await complaint({ DATABASE_URL: url })).toMatch(
    /^The database at postgres:\/\/marquee@\S+ cannot be used: .+\.\n$/u,
  )
})

test.each([
  ['with an unknown database', (url: string) => `${url}/99`, 'ERR DB index is out of range'],
  [
    'with TLS, which the server does not support',
    (url: string) => url.replace('redis:', 'rediss:'),
    'connect ETIMEDOUT (does it speak TLS on that port, as rediss:// says?)',
  ],
])('a Redis URL %s is reported in one sentence', async (_what, change, reason) => {
  const url = change(redis.url)

  expect(await complaint({ REDIS_URL: url })).toBe(`Redis at ${url} cannot be used: ${reason}.\n`)
})

test.each([
  ['that does not exist', { S3_BUCKET: 'nowhere' }, 'there is no such bucket'],
  ['that these keys may not use', { S3_ACCESS_KEY_ID: 'unknown' }, 'these keys may not use it'],
])('a bucket %s is reported in one sentence', async (_what, change, reason) => {
  const settings = {
    S3_BUCKET,
    S3_ENDPOINT: s3.url,
    S3_ACCESS_KEY_ID: S3_KEYS.id,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secret,
    ...change,
  }

  expect(await complaint(settings)).toBe(
    `The S3 bucket ${settings.S3_BUCKET} at ${s3.url} cannot be used: ${reason}.\n`,
  )
})

test('an S3 endpoint without TLS or in another region is reported in one sentence', async () => {
  const keys = { S3_BUCKET, S3_ACCESS_KEY_ID: S3_KEYS.id, S3_SECRET_ACCESS_KEY: S3_KEYS.secret }
  const byTls = await complaint({ ...keys, S3_ENDPOINT: s3.url.replace('http:', 'https:') })
  s3.failWith(400)
  const elsewhere = await complaint({ ...keys, S3_ENDPOINT: s3.url })
  s3.failWith(undefined)

  expect(byTls).toMatch(/ cannot be used: it does not speak TLS on that port\.\n$/u)
  expect(elsewhere).toMatch(/ cannot be used: it answers 400: is it in another region \(S3_REGION\)\?\.\n$/u)
})

test('a METRICS_HOST that this machine does not have is reported with the name of the setting', async () => {
  const settings = { METRICS_PORT: String(await freePort()), METRICS_HOST: '192.0.2.1' }

  expect(await complaint(settings)).toBe('This machine has no address 192.0.2.1: choose another METRICS_HOST.\n')
})

test('a lost or different master key is reported in one sentence, and no new key is created', async () => {
  const dataDir = join(folder, 'lost-key')
  await cp(startedDir, dataDir, { recursive: true })
  await rm(join(dataDir, 'keys'), { recursive: true })
  const file = join(dataDir, 'keys', 'master.key')

  expect(await complaint({ DATA_DIR: dataDir })).toBe(
    `There is no key file ${file}, and the database was encrypted with a master key. Put it there, or give it as MASTER_KEY_FILE or MASTER_KEY.\n`,
  )
  expect(existsSync(file)).toBe(false)
  expect(await complaint({ DATA_DIR: dataDir, MASTER_KEY: Buffer.alloc(32, 7).toString('base64') })).toMatch(
    /^The database was encrypted with another master key \([0-9a-f]{8}\) than the one given \([0-9a-f]{8}\)\. Give .+\n$/u,
  )
})

test('a file that is not a database is reported in one sentence', async () => {
  const dataDir = join(folder, 'garbage')
  await mkdir(dataDir, { mode: 0o700 })
  await writeFile(join(dataDir, 'marquee.db'), 'This is something else. '.repeat(500))

  expect(await complaint({ DATA_DIR: dataDir })).toBe(
    `${join(dataDir, 'marquee.db')} is not a database, or is damaged: file is not a database. Restore a backup.\n`,
  )
})
