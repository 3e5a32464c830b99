import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { extract } from 'tar'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { systemClock } from '@marquee/platform/runtime/clock'
import { openS3Bucket, type S3Bucket } from '@marquee/platform/storage/s3-store'
import { freePort } from '@marquee/platform/testing/free-port'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'
import { S3_BUCKET, S3_KEYS, type S3Server, startS3 } from '@marquee/platform/testing/s3-server'
import { WITHIN } from '@marquee/platform/testing/within'

import { makeTables } from '../migrations/make-tables.ts'
import { clientOf } from '../testing/api-client.ts'
import { operate } from '../testing/run-marquee.ts'
import { describeTables, readSampleRows } from '../testing/sample-rows.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'
import { signIn, signUp } from '../testing/sign-up.ts'
import { bucketPlace, fetchBackup } from './bucket-place.ts'

const DONE = /a backup was made and verified/gu

let folder: string
let s3: S3Server
let bucket: S3Bucket
let settings: Record<string, string>
let home: string
let keyFile: string
let outputs: string

/** Two processes on one PostgreSQL and one bucket that both find a backup due when they start. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-scaled-backup-'))
  home = join(folder, 'first')
  keyFile = join(home, 'keys', 'master.key')
  s3 = await startS3()
  settings = {
    DATABASE_URL: await freshPostgresUrl(),
    S3_BUCKET,
    S3_ENDPOINT: s3.url,
    S3_ACCESS_KEY_ID: S3_KEYS.id,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secret,
    LOG_LEVEL: 'info',
  }
  const server = await startServer({ ...settings, DATA_DIR: home, PORT: String(await freePort()) })
  const api = clientOf(server, await signUp({ url: server.url, dataDir: home, name: 'ana' }))
  await api('POST', '/watchlists', { name: 'Friday films' })
  await server.end('SIGTERM')
  bucket = await openS3Bucket({ bucket: S3_BUCKET, endpoint: s3.url, keys: S3_KEYS })
  const servers = await Promise.all([startScheduled(home), startScheduled(join(folder, 'second'))])
  await untilOneIsMade(servers)
  await Promise.all(servers.map(async (one) => await one.end('SIGTERM')))
  outputs = servers.map((one) => one.output()).join('')
})
afterAll(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

async function startScheduled(dataDir: string, SHUTDOWN_LEAD = '0'): Promise<ServerProcess> {
  const own = {
    DATA_DIR: dataDir,
    MASTER_KEY_FILE: keyFile,
    BACKUP_EVERY: '1d',
    PORT: String(await freePort()),
    SHUTDOWN_LEAD,
  }
  return await startServer({ ...settings, ...own })
}

async function untilOneIsMade(servers: readonly ServerProcess[]): Promise<void> {
  await vi.waitFor(() => {
    if (!servers.some((one) => one.output().match(DONE))) throw new Error('no backup yet')
  }, WITHIN)
}

async function objects(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of bucket.store('backups').list()) names.push(name)
  return names
}

/** Every row of every table of a PostgreSQL database. */
async function contentsOf(url: string): Promise<Record<string, string[]>> {
  const model = openSqlite(join(folder, `model-${String(await freePort())}.db`))
  await makeTables(model)
  const database = openPostgres(url, { onIdleError: () => undefined })
  const rows = await readSampleRows(database, await describeTables(model))
  await Promise.all([model.close(), database.close()])
  return rows
}

const NAME = /^marquee-\d{8}t\d{9}z\.tar$/u

test('one of two processes makes the backup, and leaves none of it on its disk', async () => {
  const left = await readdir(join(home, 'backups')).catch(() => [])

  expect(outputs.match(DONE)).toHaveLength(1)
  expect(outputs).not.toContain('The scheduled backup failed')
  expect(await objects()).toEqual([expect.stringMatching(NAME)])
  expect(left).toEqual([])
})

test('a backup in a bucket has neither the master key nor images', async () => {
  const [file, unpacked] = [join(folder, 'looked-at.tar'), join(folder, 'looked-at')]
  await fetchBackup(bucket, { name: undefined, path: file, now: systemClock.now() })
  await mkdir(unpacked)
  await extract({ file, cwd: unpacked })
  const names = await readdir(unpacked, { recursive: true })

  expect(names.toSorted()).toEqual(['keys', 'keys/installation-id', 'manifest.json', 'marquee.db'])
})

test('a backup of PostgreSQL in a bucket is restored into an empty PostgreSQL with every row, and users sign in', async () => {
  const restored = join(folder, 'restored')
  const { DATABASE_URL: original = '', ...others } = settings
  const to = await freshPostgresUrl()
  const own = { ...others, DATA_DIR: restored, MASTER_KEY_FILE: keyFile }
  const keyless = await operate(['restore', '--from-bucket'], { ...others, DATA_DIR: restored })
  const fetched = await operate(['restore', '--from-bucket'], own)
  const moved = await operate(['move', '--to', to], own)
  const [before, after] = [await contentsOf(original), await contentsOf(to)]
  const server = await startServer({ ...own, DATABASE_URL: to, PORT: String(await freePort()) })
  const token = await signIn(server.url, 'ana')
  await server.end('SIGTERM')

  expect(keyless).toMatchObject({
    code: 1,
    output: expect.stringContaining('The master key is not in the backup: set MASTER_KEY or MASTER_KEY_FILE') as string,
  })
  expect(fetched).toMatchObject({ code: 0, output: expect.stringContaining('Fetched marquee-') as string })
  expect(moved).toMatchObject({ code: 0, output: expect.stringContaining('are there and the same') as string })
  expect(Object.keys(after).length).toBeGreaterThan(50)
  expect(after).toEqual(before)
  expect(after['watchlist']).toHaveLength(1)
  expect(token).not.toBe('')
})

test('the doctor reads the age of the last backup from the bucket', async () => {
  const own = { ...settings, DATA_DIR: home, BACKUP_EVERY: '1d', CATALOGUE: 'off' }
  const { output } = await operate(['doctor'], own)

  expect(output).toMatch(/^ok {8}backup {5}The last verified one is 0 hours old\.$/mu)
})

test('a backup whose process was killed during the upload does not count, and the next process makes one', async () => {
  for (const name of await objects()) await bucket.store('backups').delete(name)
  const met = Promise.withResolvers<undefined>()
  // The upload gets no answer, so that it is there when the process is killed.
  s3.watch(({ method, path }) => {
    if (method !== 'PUT' || !path.includes('partNumber=')) return
    s3.holdAfter(0)
    met.resolve(undefined)
  })
  const killed = await startScheduled(home, '60')
  await met.promise
  const ending = killed.end('SIGTERM')
  // A process that ends says so first, and does not wait for the bucket.
  await vi.waitFor(async () => {
    expect((await fetch(`${killed.url}/readyz`)).status).toBe(503)
  }, WITHIN)
  await killed.end('SIGKILL')
  await ending
  s3.watch(() => undefined)
  s3.holdAfter(undefined)
  const [counted, left] = [await bucketPlace(bucket, S3_BUCKET).list(), await objects()]
  const next = await startScheduled(home)
  await untilOneIsMade([next])
  await next.end('SIGTERM')

  expect(counted).toEqual([])
  expect(left).toContainEqual(expect.stringMatching(/^marquee-\d{8}t\d{9}z\.tar\.unverified$/u))
  expect(await objects()).toEqual([expect.stringMatching(NAME)])
  expect(await s3.unfinishedUploads()).toEqual([])
})
