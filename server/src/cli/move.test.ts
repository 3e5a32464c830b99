import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { systemRandom } from '@marquee/platform/runtime/random'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { openS3Bucket } from '@marquee/platform/storage/s3-store'
import { S3_BUCKET, S3_KEYS, startS3 } from '@marquee/platform/testing/s3-server'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'
import { freePort } from '@marquee/platform/testing/free-port'

import { whileLocked } from '../data-dir.ts'
import { whileOnlyMove } from '../move/target-store.ts'
import { fillTables } from '../testing/fill-tables.ts'
import { operate, runMarquee } from '../testing/run-marquee.ts'
import { failToStart, startServer } from '../testing/server-process.ts'
import { signIn, signUp } from '../testing/sign-up.ts'

let folder: string
/** An instance with one user and one watchlist. */
let dataDir: string
/** The same with so many rows that a move takes long enough to be interrupted. */
let filledDir: string
let watchlistId: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-move-'))
  dataDir = join(folder, 'data')
  filledDir = join(folder, 'filled')
  const server = await startServer({ PORT: String(await freePort()), DATA_DIR: dataDir })
  const token = await signUp({ url: server.url, dataDir, name: 'ana' })
  watchlistId = await addWatchlist(server.url, token)
  await server.end('SIGTERM')
  await cp(dataDir, filledDir, { recursive: true })
  const database = openSqlite(join(filledDir, 'marquee.db'))
  await fillTables(database, 0.08)
  await database.close()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function addWatchlist(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const made = await fetch(`${url}/api/watchlists`, { method: 'POST', headers, body: '{"name":"Films"}' })
  return ((await made.json()) as { id: string }).id
}

const move = async (to: string) => await operate(['move', '--to', to], { DATA_DIR: dataDir })

/** The same with all rows. Only a process of its own can be killed. */
const moveFilled = async (to: string, killAt?: RegExp) => {
  const [args, settings] = [['move', '--to', to], { DATA_DIR: filledDir }]
  return killAt ? await runMarquee(args, { settings, killAt }) : await operate(args, settings)
}

const postgres = (url: string) => openPostgres(url, { onIdleError: () => undefined })

/** Every row of every table of the original, in an order that is the same on both databases. */
async function contents(database: Database<unknown>): Promise<Record<string, unknown[]>> {
  const tables = await database.schema.introspection.getTables()
  const names = tables.map(({ name }) => name).filter((name) => !/_migration(?:_lock)?$/u.test(name))
  const all: Record<string, unknown[]> = {}
  for (const name of names.toSorted()) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(database.read)
    all[name] = rows.map(asText).toSorted()
  }
  return all
}

function asText(row: Record<string, unknown>): string {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  ])
  return JSON.stringify(cells.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

test('a move that is interrupted twice continues, and every row arrives unchanged', async () => {
  const to = await freshPostgresUrl()
  expect((await moveFilled(to, /copying watchlist: 321 of/u)).code).toBeNull()
  const half = await failToStart({ PORT: String(await freePort()), DATA_DIR: filledDir, DATABASE_URL: to })
  expect((await moveFilled(to, /copying comment: /u)).code).toBeNull()
  const last = await moveFilled(to)

  expect(half).toMatchObject({
    code: 1,
    output: expect.stringContaining('A move into this database has not ended.') as string,
  })
  expect(last).toMatchObject({
    code: 0,
    output: expect.stringMatching(/All [\d,]+ rows are there and the same/u) as string,
  })
  expect(last.output).not.toContain('copying watchlist:')
  const [original, copy] = [openSqlite(join(filledDir, 'marquee.db')), postgres(to)]
  const [ours, theirs] = [await contents(original), await contents(copy)]
  await Promise.all([original.close(), copy.close()])
  expect(theirs).toEqual(ours)
})

test('a user finds their watchlist with the same password after the move, and commands list and count users', async () => {
  const to = await freshPostgresUrl()
  const moved = await operate(['move', '--to', to], {
    DATA_DIR: dataDir,
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
  })
  const home = await mkdtemp(join(folder, 'process-'))
  await cp(join(dataDir, 'images'), join(home, 'images'), { recursive: true })
  const settings = { DATA_DIR: home, DATABASE_URL: to, MASTER_KEY_FILE: join(dataDir, 'keys', 'master.key') }
  const server = await startServer({ PORT: String(await freePort()), ...settings })
  const token = await signIn(server.url, 'ana')
  const headers = { authorization: `Bearer ${token}` }
  const found = await fetch(`${server.url}/api/watchlists/${watchlistId}`, { headers })
  const [users, stats] = [await operate(['users', 'list'], settings), await operate(['stats'], settings)]
  await server.end('SIGTERM')

  expect(moved.output).toContain('with the same master key:\n  MASTER_KEY as it was set for this move\n')
  expect(await found.json()).toMatchObject({ id: watchlistId, name: 'Films' })
  expect(users).toMatchObject({ code: 0, output: expect.stringMatching(/^ana\t.+\tCONFIRMED\tsigned in /u) as string })
  expect(stats).toMatchObject({ code: 0, output: expect.stringMatching(/^users: 1\n[^]*^watchlists: 1\n/mu) as string })
})

test('images are moved to the configured bucket, even after failures, and arrive unchanged', async () => {
  const from = diskStore({ folder: join(dataDir, 'images'), random: systemRandom })
  const names = ['a', 'b', 'c'].map((letter) => `${letter.repeat(64)}-640.webp`)
  for (const name of names) await from.put(name, Buffer.from(`the picture ${name}`))
  const s3 = await startS3()
  const settings = {
    DATA_DIR: dataDir,
    MASTER_KEY_FILE: join(folder, 'elsewhere.key'),
    S3_BUCKET,
    S3_ENDPOINT: s3.url,
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY_ID: S3_KEYS.id,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secret,
  }
  const args = ['move', '--to', await freshPostgresUrl()]
  s3.failWith(503)
  const failed = await operate(args, settings)
  s3.failWith(undefined)
  const done = await operate(args, settings)
  const bucket = await openS3Bucket({ bucket: S3_BUCKET, endpoint: s3.url, region: 'us-east-1', keys: S3_KEYS })
  const to = bucket.store()
  const arrived = await Promise.all(names.map(async (name) => String(await to.get(name))))
  await s3.stop()
  for (const name of names) await from.delete(name)

  expect(failed.code).toBe(1)
  expect(done).toMatchObject({
    code: 0,
    output: expect.stringContaining('and 4 images are there and the same') as string,
  })
  expect(done.output).toContain(`\n  MASTER_KEY_FILE=${join(folder, 'elsewhere.key')} (or its content in MASTER_KEY)\n`)
  expect(arrived).toEqual(names.map((name) => `the picture ${name}`))
})

test('the server does not start after a move that failed before its first row, and the move can be repeated', async () => {
  const to = await freshPostgresUrl()
  const target = postgres(to)
  await sql`create function no_tables() returns event_trigger language plpgsql as 'begin raise exception ''no cards''; end'`.execute(
    target.schema,
  )
  await sql`create event trigger no_index on ddl_command_end when tag in ('CREATE INDEX') execute function no_tables()`.execute(
    target.schema,
  )
  const failed = await moveFilled(to)
  await sql`drop event trigger no_index`.execute(target.schema)
  await target.close()
  const started = await failToStart({ PORT: String(await freePort()), DATA_DIR: filledDir, DATABASE_URL: to })
  const repeated = await moveFilled(to, /copying/u)

  expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('no cards (in mail 0001_outbox)') as string })
  expect(started).toMatchObject({ code: 1, output: expect.stringContaining('has not ended') as string })
  // The move was killed while it copied rows.
  expect(repeated.code).toBeNull()
})

test('a second move from one instance, or into one database, is rejected', async () => {
  const to = await freshPostgresUrl()
  const target = postgres(to)
  const fromSame = await whileLocked(
    dataDir,
    'a move',
    async () => await runMarquee(['move', '--to', to], { settings: { DATA_DIR: dataDir } }),
  )
  let intoSame: Awaited<ReturnType<typeof move>> | undefined
  await whileOnlyMove(target, async () => {
    intoSame = await move(to)
  })
  await target.close()

  expect(fromSame.code).toBe(1)
  expect(fromSame.output).toMatch(
    /^\S+ is in use by a move \(process \d+ on \S+, since \S+Z\)\. Stop it first, or name another folder as DATA_DIR\.\n$/u,
  )
  expect(intoSame).toEqual({
    code: 1,
    output: 'Another move into this database is at work. Wait until it has ended.\n',
  })
})

test('images are not moved into the bucket of another installation', async () => {
  const s3 = await startS3()
  const bucket = { bucket: S3_BUCKET, endpoint: s3.url, region: 'us-east-1', keys: S3_KEYS }
  await (await openS3Bucket(bucket)).store().put('installation-id', Buffer.from('another'))
  const S3 = { S3_BUCKET, S3_ENDPOINT: s3.url, S3_ACCESS_KEY_ID: S3_KEYS.id, S3_SECRET_ACCESS_KEY: S3_KEYS.secret }
  const to = await freshPostgresUrl()
  const refused = await operate(['move', '--to', to], { DATA_DIR: dataDir, ...S3 })
  const target = postgres(to)
  const tables = await target.schema.introspection.getTables()
  await target.close()
  await s3.stop()

  expect(refused).toEqual({
    code: 1,
    output: 'The bucket belongs to another installation (another). Name an empty one.\n',
  })
  expect(tables).toEqual([])
})

test('a copy that was changed during the move is reported with instructions', async () => {
  const to = await freshPostgresUrl()
  await moveFilled(to, /copying comment: /u)
  const copy = postgres(to)
  await sql`update person set username = 'changed' where user_id = 'person-7'`.execute(copy.read)
  await copy.close()
  const again = await moveFilled(to)

  expect(again.code).toBe(1)
  expect(again.output).toContain(
    'The copy of person differs from the original at ["person-7"]. One of them was changed after the move began. ' +
      'Drop the new database, create it again, and repeat the move.\n',
  )
})

test('a move from a running or missing instance, or into a database in use, is rejected', async () => {
  const used = await freshPostgresUrl()
  await move(used)
  const [intoUsed, fromNone] = [
    await move(used),
    await operate(['move', '--to', used], { DATA_DIR: join(dataDir, 'nowhere') }),
  ]
  const server = await startServer({ PORT: String(await freePort()), DATA_DIR: dataDir })
  const fromRunning = await move(await freshPostgresUrl())
  await server.end('SIGTERM')

  expect(intoUsed).toMatchObject({ code: 1, output: expect.stringContaining('is in use already') as string })
  expect(fromNone).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no embedded instance to move') as string,
  })
  expect(fromRunning).toMatchObject({
    code: 1,
    output: expect.stringContaining('is in use by the server at port') as string,
  })
})

test('wrong arguments print the usage', async () => {
  const settings = { DATA_DIR: dataDir }
  const [noTarget, wrongTarget, unknown] = [
    await operate(['move'], settings),
    await operate(['move', '--to', 'mysql://db'], settings),
    await operate(['fly'], settings),
  ]
  for (const { code, output } of [noTarget, wrongTarget]) {
    expect(code).toBe(2)
    expect(output).toContain('Usage: npm run marquee -- move --to postgres://')
  }
  expect(unknown).toMatchObject({ code: 2, output: expect.stringContaining('There is no command fly.') as string })
})
