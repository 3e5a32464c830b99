import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { systemRandom as random } from '@marquee/platform/runtime/random'
import { resealColumns, verifyColumns } from '@marquee/platform/sealed/reseal'
import { eachDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { mediaServerKey, pushKey, webhookKey } from './master-keys.ts'
import { makeTables } from './migrations/make-tables.ts'
import { productMigrations } from './migrations/index.ts'
import { openToken, sealToken } from './rooms/movies/media-links/token.ts'
import type { LinkRow } from './rooms/movies/media-links/store.ts'
import { openTarget as openServer, sealTarget as sealServer } from './rooms/movies/media-servers/service.ts'
import { keyOf } from './rooms/movies/movie-requests/service.ts'
import { openTarget as openDevice, readKeyPair, sealTarget as sealDevice } from './rooms/news/push/service.ts'
import { openTarget as openWebhook, sealTarget as sealWebhook } from './rooms/news/webhooks/service.ts'
import { resealAtStart, sealedColumns } from './sealed-columns.ts'
import { operate } from './testing/run-marquee.ts'
import { addSampleRows, describeTables, type SampleTable } from './testing/sample-rows.ts'

const [OLD, NEXT] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const ROTATING = { current: NEXT, previous: [OLD] }
const AFTER = { current: NEXT, previous: [] }
const logger = pino({ level: 'silent' })

type Row = Record<string, string | null>

const rowsOf = async ({ read }: Database<unknown>, table: string): Promise<Row[]> =>
  (await sql<Row>`select * from ${sql.table(table)}`.execute(read)).rows

const text = (row: Row, name: string): string => row[name] ?? ''
const serverOf = (row: Row) => ({ watchlistId: text(row, 'watchlist_id'), serverId: text(row, 'id') })
const webhookOf = (row: Row) => ({ watchlistId: text(row, 'watchlist_id'), webhookId: text(row, 'id') })
const deviceOf = (row: Row) => ({ userId: text(row, 'user_id'), subscriptionId: text(row, 'id') })
const linkOf = (row: Row) => ({
  watchlistId: text(row, 'watchlist_id'),
  serverId: text(row, 'server_id'),
  userId: text(row, 'user_id'),
})

/** Gives a webhook, a device, a media server, a link and a request server values under the first key, as their users do. */
async function sealAll(database: Database<unknown>): Promise<void> {
  const [keys, webhookKeys, pushKeys] = [[mediaServerKey(OLD)], [webhookKey(OLD)], [pushKey(OLD)]]
  const server = { url: 'http://tv.example', token: 'token' }
  const device = { endpoint: 'https://push.example/1', p256dh: 'p256dh', auth: 'auth' }
  const set = async (table: string, column: string, valueOf: (row: Row) => string | null): Promise<void> => {
    for (const row of await rowsOf(database, table)) {
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${valueOf(row)}
        where ${sql.ref(column)} = ${row[column]}`.execute(database.schema)
    }
  }
  await set('webhook', 'target', (row) =>
    sealWebhook({ random, keys: webhookKeys }, webhookOf(row), { url: 'http://chat.example', secret: null }),
  )
  await set('push_subscription', 'target', (row) => sealDevice({ random, keys: pushKeys }, deviceOf(row), device))
  await set('media_server', 'target', (row) => sealServer({ keys, random }, serverOf(row), server))
  await set('media_link', 'token', (row) => sealToken({ keys }, linkOf(row), 'token of a user', random))
  await set('request_server', 'target', (row) => sealServer({ keys, random }, keyOf(text(row, 'watchlist_id')), server))
}

/** What each user of an encrypted value gets with the next key alone. */
async function openAll(database: Database<unknown>) {
  const [keys, webhookKeys, pushKeys] = [[mediaServerKey(NEXT)], [webhookKey(NEXT)], [pushKey(NEXT)]]
  const of = async (table: string, open: (row: Row) => unknown) => (await rowsOf(database, table)).map(open)
  return {
    webhooks: await of(
      'webhook',
      (row) => openWebhook({ keys: webhookKeys }, webhookOf(row), text(row, 'target'))?.url,
    ),
    devices: await of(
      'push_subscription',
      (row) => openDevice({ keys: pushKeys }, deviceOf(row), text(row, 'target'))?.auth,
    ),
    servers: await of('media_server', (row) => openServer({ keys }, serverOf(row), text(row, 'target'))?.url),
    links: await of('media_link', (row) => row['token'] && openToken({ keys }, row as unknown as LinkRow)),
    requestServers: await of(
      'request_server',
      (row) => openServer({ keys }, keyOf(text(row, 'watchlist_id')), text(row, 'target'))?.url,
    ),
  }
}

const OPENED = {
  webhooks: ['http://chat.example', 'http://chat.example', 'http://chat.example'],
  devices: ['auth', 'auth', 'auth'],
  servers: ['http://tv.example', 'http://tv.example', 'http://tv.example'],
  // The first has no token.
  links: [null, 'token of a user', 'token of a user'],
  requestServers: ['http://tv.example', 'http://tv.example', 'http://tv.example'],
}

/** Tables with encrypted columns, and those that they refer to. */
const SEALED = ['watchlist', 'member', 'webhook', 'push_subscription', 'media_server', 'media_link', 'request_server']

/** These tables in a new database at a path. */
async function sealedTables(path: string): Promise<SampleTable[]> {
  const model = openSqlite(path)
  await makeTables(model)
  const tables = (await describeTables(model)).filter(({ name }) => SEALED.includes(name))
  await model.close()
  return tables
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-sealed-'))
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

eachDatabase({ product: productMigrations }, (theDatabase) => {
  test('a start after a change of the master key re-encrypts all stored secrets, used or not', async () => {
    const database = theDatabase()
    await addSampleRows(database, await sealedTables(join(await aFolder(), 'model.db')))
    await sealAll(database)
    const { publicKey } = await readKeyPair({ database, random, pushKeys: [pushKey(OLD)] })

    const stop = resealAtStart({ database, random, logger }, ROTATING)
    await vi.waitFor(async () => {
      const { unopened } = await verifyColumns(database.read, sealedColumns(AFTER))
      if (unopened.length > 0) throw new Error('not everything yet')
    }, WITHIN)
    await stop()
    const again = await resealColumns({ database, random }, sealedColumns(ROTATING))

    expect(again).toEqual({ resealed: 0, unopened: [] })
    expect(await openAll(database)).toEqual(OPENED)
    // Fewer at a time than there are.
    expect(await verifyColumns(database.read, sealedColumns(AFTER), 2)).toEqual({ opened: 15, unopened: [] })
    expect((await readKeyPair({ database, random, pushKeys: [pushKey(NEXT)] })).publicKey).toBe(publicKey)
  })
})

test('the command re-encrypts all stored secrets, and a restore reports those that no key decrypts', async () => {
  const dataDir = await aFolder()
  const path = join(dataDir, 'marquee.db')
  const tables = await sealedTables(path)
  const fill = openSqlite(path)
  await addSampleRows(fill, tables)
  await sealAll(fill)
  await readKeyPair({ database: fill, random, pushKeys: [pushKey(OLD)] })
  await fill.close()
  const base64 = (key: Buffer): string => key.toString('base64')
  const settings = { DATA_DIR: dataDir, MASTER_KEY: base64(NEXT) }
  const [before, after] = [join(dataDir, 'before.tar'), join(dataDir, 'after.tar')]

  // With the key of the accounts, and without the one of the product.
  await operate(['backup', before], settings)
  const told = await operate(['restore', before, '--verify'], settings)
  const rotating = { ...settings, MASTER_KEYS_PREVIOUS: base64(OLD) }
  const first = await operate(['keys', 'rotate-encryption'], rotating)
  const second = await operate(['keys', 'rotate-encryption'], rotating)
  await operate(['backup', after], settings)
  const clean = await operate(['restore', after, '--verify'], settings)
  const database = openSqlite(path)
  const opened = await openAll(database)
  await database.close()

  expect(told.output).toContain(
    'Opened by none of the master keys given: 3 of webhook.target. If there was an earlier key, give it, too.\n',
  )
  expect(told.code).toBe(0)
  expect(first.output).toBe('15 values were encrypted again.\n')
  expect(second.output).toBe('0 values were encrypted again.\n')
  expect(clean.code).toBe(0)
  expect(clean.output).not.toContain('Opened by none')
  expect(opened).toEqual(OPENED)
})
