import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { systemClock } from '@marquee/platform/runtime/clock'
import { HOUR_MS } from '@marquee/platform/runtime/durations'
import { systemRandom } from '@marquee/platform/runtime/random'
import { freePort } from '@marquee/platform/testing/free-port'
import { migratedPostgresUrl } from '@marquee/platform/testing/postgres-server'
import { startRedis } from '@marquee/platform/testing/redis-server'
import { S3_BUCKET, S3_KEYS, startS3 } from '@marquee/platform/testing/s3-server'

import { nameOf } from '../backup/kept-backups.ts'
import { pushKey } from '../master-keys.ts'
import { MIGRATIONS } from '../migrations/make-tables.ts'
import { getPushKey } from '../rooms/news/push/service.ts'
import { type CatalogueStandIn, startCatalogueStandIn } from '../testing/catalogue/stand-in.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { operate } from '../testing/run-marquee.ts'
import { startServer } from '../testing/server-process.ts'
import { mountSmallDisk } from '../testing/small-disk.ts'

let folder: string
let dataDir: string
let catalogue: CatalogueStandIn
let besideServer: Awaited<ReturnType<typeof operate>>

/** An instance that was started once, and what the doctor said meanwhile. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-doctor-'))
  dataDir = join(folder, 'data')
  catalogue = await startCatalogueStandIn()
  const server = await startServer({ PORT: String(await freePort()), DATA_DIR: dataDir, ...catalogue.settings })
  besideServer = await examine({})
  await server.end('SIGTERM')
})
afterAll(async () => {
  await catalogue.stop()
  await rm(folder, { recursive: true, force: true })
})

async function examine(settings: Record<string, string>) {
  return await operate(['doctor'], { DATA_DIR: dataDir, ...catalogue.settings, ...settings })
}

/** The exit code, and the line of one check. */
async function find(name: string, settings: Record<string, string>): Promise<[code: number | null, line: string]> {
  const { code, output } = await examine(settings)
  return [code, output.split('\n').find((line) => line.slice(10).startsWith(`${name} `)) ?? output]
}

async function hashesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hash = async (file: string) =>
    `${file} ${createHash('sha256')
      .update(await readFile(file))
      .digest('hex')}`
  return (await Promise.all(files.map(hash))).toSorted()
}

/** A copy of the instance, changed. */
async function aCopy(change: (path: string) => Promise<void> | void): Promise<string> {
  const copy = await mkdtemp(join(folder, 'copy-'))
  await cp(dataDir, copy, { recursive: true })
  await change(join(copy, 'marquee.db'))
  return copy
}

const alter = (sql: string) => (path: string) => {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

test('the doctor reports each part of a healthy server as ok, and parts that are not set as not used', () => {
  const lines = besideServer.output.replaceAll(/\d+ MB/gu, 'many MB').split('\n')

  expect(lines).toEqual([
    'ok        settings   All are valid.',
    `ok        disk       ${dataDir} has many MB of free space, and can be written to.`,
    'ok        database   SQLite answers and has the tables of this version; its file is whole.',
    'ok        clock      Nothing to compare it with on another machine.',
    `ok        images     ${dataDir}/images can be written, read and deleted.`,
    'not used  redis      REDIS_URL is not set. One process needs no Redis.',
    `not used  mail       SMTP_URL is not set. Mails go to ${dataDir}/outbox only.`,
    'not used  push       No one has turned on push messages yet.',
    'ok        catalogue  Answers: wikidata.',
    'not used  backup     BACKUP_EVERY is not set. Make backups by hand or with other tools.',
    'not used  address    PUBLIC_URL is http://localhost:3000: only this machine opens it.',
    '',
  ])
  expect(besideServer.code).toBe(0)
})

test('the doctor changes no file', async () => {
  const before = await hashesOf(dataDir)
  await examine({})

  expect(await hashesOf(dataDir)).toEqual(before)
})

test('the doctor takes no arguments', async () => {
  expect((await operate(['doctor', 'now'], {})).code).toBe(2)
})

test('each wrong setting is reported as a separate problem', async () => {
  const { code, output } = await operate(['doctor'], { PORT: 'eighty', LOG_LEVEL: 'loud' })

  expect(code).toBe(2)
  expect(output.split('\n').map((line) => line.slice(0, 35))).toEqual([
    'problem   settings   PORT: Must be ',
    'problem   settings   LOG_LEVEL: Mus',
    '',
  ])
})

test('a folder without a database is reported as a warning, and stays empty', async () => {
  const empty = join(folder, 'empty')
  await mkdir(empty)

  expect(await find('database', { DATA_DIR: empty })).toEqual([
    1,
    `warning   database   There is no ${empty}/marquee.db yet. The first start makes it; otherwise correct DATA_DIR.`,
  ])
  expect(await readdir(empty)).toEqual([])
})

test('a full disk is reported as a problem', async ({ skip }) => {
  const disk = await mountSmallDisk(8)
  if (!disk) return skip('This user may not mount a disk.')
  onTestFinished(disk.remove)

  expect(await find('disk', { DATA_DIR: disk.path })).toEqual([
    2,
    `problem   disk       ${disk.path} has 8 MB of free space. Make room: writes fail without it.`,
  ])
})

test('a damaged embedded database is reported as a problem, and all other lines are printed', async () => {
  const copy = await aCopy(async (path) => {
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(20_000, 1), 0, 20_000, 40_960)
    await file.close()
  })
  const { code, output } = await examine({ DATA_DIR: copy })

  expect(code).toBe(2)
  expect(output).toMatch(/^problem {3}database {3}\S+ is damaged: .+\. Stop the server and restore a backup\.$/mu)
  expect(output.split('\n')).toHaveLength(12)
})

test('an older embedded database is reported as a warning, and a newer one as a problem', async () => {
  const older = await aCopy(alter(`delete from product_migration where name >= '0020'`))
  const newer = await aCopy(alter(`insert into product_migration values ('9999_wonder', '')`))
  const [ofOlder, ofNewer] = [await find('database', { DATA_DIR: older }), await find('database', { DATA_DIR: newer })]

  expect(ofOlder).toEqual([
    1,
    expect.stringMatching(/^warning +database +SQLite lacks \d+ changes of this version\. Start the server/u),
  ])
  expect(ofNewer).toEqual([
    2,
    'problem   database   SQLite was brought up to date by a newer version (9999_wonder). Start that version, or restore the backup from before.',
  ])
})

test('the doctor prints the version of PostgreSQL and compares its clock', async () => {
  const DATABASE_URL = await migratedPostgresUrl(MIGRATIONS)
  const { code, output } = await examine({ DATABASE_URL })

  expect(output).toMatch(/^ok {8}database {3}PostgreSQL \d\S* answers and has the tables of this version\.$/mu)
  expect(output).toMatch(/^ok {8}clock {6}As at the database\.$/mu)
  expect(code).toBe(0)
})

test('an empty PostgreSQL database is reported as a warning, and stays empty', async () => {
  const DATABASE_URL = await migratedPostgresUrl({})
  const [code, line] = await find('database', { DATABASE_URL })
  const database = openPostgres(DATABASE_URL, { onIdleError: () => undefined })
  const tables = await database.read.introspection.getTables()
  await database.close()

  expect(code).toBe(1)
  expect(line).toMatch(/^warning {3}database {3}PostgreSQL \S+ is empty\. The first start makes the tables/u)
  expect(tables).toEqual([])
})

test('an unreachable PostgreSQL server is reported as a problem, and its password is not printed', async () => {
  const DATABASE_URL = `postgres://marquee:hush-hush@127.0.0.1:${await freePort()}/marquee`
  const { code, output } = await examine({ DATABASE_URL })

  expect(code).toBe(2)
  expect(output).toMatch(/^problem {3}database .*ECONNREFUSED.*Start it, or correct DATABASE_URL\.$/mu)
  expect(output).toMatch(/^ok {8}catalogue/mu)
  expect(output).not.toContain('hush-hush')
})

test('a bucket is tested with a file that is deleted again, and rejected keys are reported as a problem', async () => {
  const s3 = await startS3()
  onTestFinished(s3.stop)
  const settings = {
    S3_BUCKET,
    S3_ENDPOINT: s3.url,
    S3_ACCESS_KEY_ID: S3_KEYS.id,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secret,
  }
  const fine = await find('images', settings)
  s3.failWith(403)
  const refused = await find('images', settings)

  expect(fine).toEqual([0, 'ok        images     Bucket posters can be written, read and deleted.'])
  expect(refused).toEqual([
    2,
    `problem   images     The S3 bucket posters at ${s3.url} cannot be used: these keys may not use it.`,
  ])
})

test('Redis is reported as ok while it answers, and as a problem when it is gone', async () => {
  const redis = await startRedis()
  const fine = await find('redis', { REDIS_URL: redis.url })
  await redis.kill()

  expect(fine).toEqual([0, `ok        redis      ${redis.url} answers.`])
  expect(await find('redis', { REDIS_URL: redis.url })).toEqual([
    2,
    expect.stringMatching(/^problem {3}redis {6}Redis at \S+ cannot be used: .*ECONNREFUSED/u),
  ])
})

const MAIL = { MAIL_FROM: 'marquee@example.org' }

test('a mail server is checked without sending a mail', async () => {
  const smtp = await startMailServer()
  onTestFinished(smtp.close)

  expect(await find('mail', { ...MAIL, SMTP_URL: smtp.url })).toEqual([
    0,
    `ok        mail       ${smtp.url} answers. Nothing was sent.`,
  ])
})

test('a login that the mail server refuses is reported as a problem, and its password is not printed', async () => {
  const port = await freePort()
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => {
      done(new Error(`Wrong password ${password ?? ''}`))
    },
  })
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => void smtp.listen(port, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await new Promise<void>((resolve) => {
      smtp.close(resolve)
    })
  })
  const { code, output } = await examine({ ...MAIL, SMTP_URL: `smtp://ana:hush-hush@127.0.0.1:${port}` })

  expect(code).toBe(2)
  expect(output).toMatch(/^problem {3}mail .*Wrong password ….*Correct user and password in SMTP_URL\.$/mu)
  expect(output).not.toContain('hush-hush')
})

test('the keys of push messages are reported as ok, and as a problem with another master key', async () => {
  const copy = await aCopy(() => undefined)
  const database = openSqlite(join(copy, 'marquee.db'))
  const key = Buffer.from(await readFile(join(copy, 'keys', 'master.key'), 'utf8'), 'base64')
  await getPushKey({ database, random: systemRandom, pushKeys: [pushKey(key)] })
  await database.close()
  const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

  expect(await find('push', { DATA_DIR: copy })).toEqual([
    0,
    'ok        push       The master key opens the keys of push messages.',
  ])
  expect(await find('push', { DATA_DIR: copy, MASTER_KEY })).toEqual([
    2,
    expect.stringContaining('The master key does not open the keys of push messages. Give the earlier one'),
  ])
})

test('a token that The Movie Database refuses is reported as a problem, and is not printed', async () => {
  const wrong = { CATALOGUE: 'tmdb', TMDB_TOKEN: 'wrong-token' }
  const { code, output } = await examine(wrong)

  expect(await find('catalogue', { CATALOGUE: 'tmdb', WATCH_PROVIDERS: 'tmdb' })).toEqual([
    0,
    'ok        catalogue  Answers: tmdb and the source of offers.',
  ])
  expect(code).toBe(2)
  expect(output).toMatch(/^problem {3}catalogue .*answered 401\. Correct TMDB_TOKEN\.$/mu)
  expect(output).not.toContain('wrong-token')
})

test('an unreachable catalogue is reported as a warning', async () => {
  catalogue.fail('down')
  onTestFinished(() => {
    catalogue.fail(undefined)
  })

  expect((await find('catalogue', {}))[0]).toBe(1)
})

test('a scheduled backup is reported as ok while it is not late, and its absence as a warning', async () => {
  const copy = await aCopy(() => undefined)
  const none = await find('backup', { DATA_DIR: copy, BACKUP_EVERY: '1d' })
  const madeAt = new Date(systemClock.now().getTime() - 30.5 * HOUR_MS)
  await mkdir(join(copy, 'backups'))
  await writeFile(join(copy, 'backups', nameOf(madeAt)), '')

  expect(none).toEqual([1, expect.stringContaining('There is none yet.')])
  expect(await find('backup', { DATA_DIR: copy, BACKUP_EVERY: '1d' })).toEqual([
    0,
    'ok        backup     The last verified one is 30 hours old.',
  ])
  expect(await find('backup', { DATA_DIR: copy, BACKUP_EVERY: '6h' })).toEqual([
    2,
    'problem   backup     The last verified one is 30 hours old. The log of the server says why.',
  ])
})

test('a secret from a file is not printed', async () => {
  const file = join(folder, 'database-url')
  await writeFile(file, `postgres://marquee:hush-hush@127.0.0.1:${await freePort()}/hush-hush\n`)
  const { output } = await examine({ DATABASE_URL_FILE: file })

  expect(output).toMatch(/^problem {3}database/mu)
  expect(output).not.toContain('hush-hush')
})
