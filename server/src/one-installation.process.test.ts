import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { systemRandom } from '@marquee/platform/runtime/random'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { freePort } from '@marquee/platform/testing/free-port'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { operate } from './testing/run-marquee.ts'
import { failToStart, startServer } from './testing/server-process.ts'

let dataDir: string
let port: string

beforeAll(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'marquee-one-')), 'data')
  port = String(await freePort())
})
afterAll(async () => {
  await rm(join(dataDir, '..'), { recursive: true, force: true })
})

test('a second server on one data folder is rejected until the first one ends, however it ends', async () => {
  const settings = { PORT: port, DATA_DIR: dataDir }
  const first = await startServer(settings)
  const second = await failToStart({ ...settings, PORT: String(await freePort()) })
  const stats = await operate(['stats'], settings)
  const files = await readdir(dataDir)
  const modes = await Promise.all(files.map(async (name) => (await stat(join(dataDir, name))).mode & 0o077))
  await first.end('SIGKILL')
  const third = await startServer(settings)
  await third.end('SIGTERM')

  expect(second.code).toBe(1)
  expect(second.output).toMatch(
    new RegExp(
      `^${dataDir} is in use by the server at port ${port} \\(process \\d+ on \\S+, since \\d{4}-\\S+Z\\)\\. ` +
        'Stop it first, or name another folder as DATA_DIR\\.\n$',
      'u',
    ),
  )
  expect(stats).toMatchObject({ code: 0, output: expect.stringContaining('users: 0') as string })
  expect(files).toContain('marquee.db')
  expect(new Set(modes)).toEqual(new Set([0]))
})

test('a server with keys, images and an empty database does not start until the operator allows it', async () => {
  const images = diskStore({ folder: join(dataDir, 'images'), random: systemRandom })
  const image = `${'ab'.repeat(32)}-320.webp`
  await images.put(image, Buffer.from('a picture'))
  for (const name of ['marquee.db', 'marquee.db-wal', 'marquee.db-shm']) await rm(join(dataDir, name), { force: true })
  const settings = { PORT: port, DATA_DIR: dataDir }

  const lost = [await failToStart(settings), await failToStart(settings)]
  const wrong = await failToStart({ ...settings, DATABASE_URL: await freshPostgresUrl() })
  const kept = await images.has(image)
  const reset = await operate(['reset-installation-id'], settings)
  const server = await startServer(settings)
  await server.end('SIGTERM')

  for (const { code, output } of lost) {
    expect(code).toBe(1)
    expect(output).toMatch(/marquee\.db is empty or missing, but \S+\/keys belongs to an installation\. Restore /u)
  }
  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('/test_') as string })
  expect(kept).toBe(true)
  expect(reset).toMatchObject({ code: 0, output: expect.stringContaining('belong to installation') as string })
})

test('a server does not start without its images until they are back or the operator allows it', async () => {
  const settings = { PORT: port, DATA_DIR: `${dataDir}-3` }
  const first = await startServer(settings)
  await first.end('SIGTERM')
  const [images, elsewhere] = [join(settings.DATA_DIR, 'images'), join(settings.DATA_DIR, 'elsewhere')]
  await rename(images, elsewhere)

  const gone = await failToStart(settings)
  const isMade = existsSync(images)
  await mkdir(images, { mode: 0o700 })
  const notMounted = await failToStart(settings)
  await rm(images, { recursive: true })
  await rename(elsewhere, images)
  const second = await startServer(settings)
  await second.end('SIGTERM')
  await rm(images, { recursive: true })
  const reset = await operate(['reset-installation-id'], settings)
  const third = await startServer(settings)
  await third.end('SIGTERM')

  for (const { code, output } of [gone, notMounted]) {
    expect(code).toBe(1)
    expect(output).toMatch(
      /^the image store is missing or empty: it has no id, and the database belongs to installation \S+\. Mount or restore /u,
    )
  }
  expect(isMade).toBe(false)
  expect(reset.code).toBe(0)
})

test('a command does not create an instance in an empty PostgreSQL database', async () => {
  const DATABASE_URL = await freshPostgresUrl()

  const { code, output } = await operate(['users', 'list'], { DATA_DIR: `${dataDir}-2`, DATABASE_URL })

  expect(code).toBe(1)
  expect(output).toMatch(
    /^There is no instance in postgres:\S+\. Set DATA_DIR or DATABASE_URL as its server has them\.\n$/u,
  )
  expect(existsSync(`${dataDir}-2`)).toBe(false)
})
