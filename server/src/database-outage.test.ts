import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { migrate } from '@marquee/platform/database/migrate'
import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { startMovableLine } from '@marquee/platform/testing/movable-line'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { productMigrations } from './migrations/index.ts'
import { call } from './testing/call.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { startApp } from './testing/start-app.ts'

// Evidence: asvs-16.5.2
test('/readyz fails before requests get 503 when PostgreSQL stops answering', async () => {
  const url = new URL(await freshPostgresUrl())
  const line = await startMovableLine(Number(url.port))
  url.port = String(line.port)
  const database = openPostgres(url.href, { onIdleError: () => undefined })
  await migrate(database, 'product', productMigrations)
  const app = await startApp(database)
  const { watchlist, owner } = await aWatchlist(app)
  const params = { watchlistId: watchlist.id }

  line.hold(true)
  const read = async () => (await call(app, ENDPOINTS.listCards, owner, { params })).status
  const write = async () => (await call(app, ENDPOINTS.createWatchlist, aUser(), { body: { name: 'Films' } })).status
  const arrived: (number | 'ready')[] = []
  // More requests than connections, so that some wait for a connection.
  const requests = Array.from({ length: 25 }, async (_, n) => {
    const status = await (n % 2 === 0 ? read() : write())
    arrived.push(status)
  })
  const ready = await app.app.inject('/readyz')
  arrived.push('ready')
  await Promise.all(requests)
  line.hold(false)
  const again = await read()
  await app.stop()
  await database.close()
  await line.stop()

  expect(ready.statusCode).toBe(503)
  expect(ready.json()).toEqual({ type: 'SERVICE_UNAVAILABLE', message: 'silent' })
  expect(arrived).toEqual(['ready', ...requests.map(() => 503)])
  expect(again).toBe(200)
})

test('a damaged database makes the server not ready, and requests for damaged data get 503', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-damage-'))
  const path = join(folder, 'marquee.db')
  const whole = openSqlite(path)
  await migrate(whole, 'product', productMigrations)
  await whole.close()
  await damageTable(path, 'watchlist')
  const database = openSqlite(path)
  const app = await startApp(database)

  const before = await app.app.inject('/readyz')
  const { status, body } = await call(app, ENDPOINTS.getWatchlist, aUser(), { params: { watchlistId: 'none' } })
  const after = await app.app.inject('/readyz')
  await app.stop()
  await database.close()
  await rm(folder, { recursive: true })

  expect(before.statusCode).toBe(200)
  expect([status, body.type]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect([after.statusCode, after.json()]).toEqual([503, { type: 'SERVICE_UNAVAILABLE', message: 'damaged' }])
})

/** Overwrites the first page of a table. */
async function damageTable(path: string, table: string): Promise<void> {
  const database = new DatabaseSync(path)
  const [row] = database.prepare('select rootpage as page from sqlite_master where name = ?').all(table)
  database.close()
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(4_096, 'x'), 0, 4_096, (Number(row?.['page']) - 1) * 4_096)
  await file.close()
}
