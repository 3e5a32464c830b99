import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { migrateAll, type Migrations } from '@marquee/platform/database/migrate'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { freePort } from '@marquee/platform/testing/free-port'

import { MIGRATIONS } from './migrations/make-tables.ts'
import { startServer } from './testing/server-process.ts'

/** The tables of the first published version. */
const FIRST: Readonly<Record<string, Migrations>> = {
  ...MIGRATIONS,
  product: Object.fromEntries(Object.entries(MIGRATIONS['product'] ?? {}).filter(([name]) => name < '0006')),
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-upgrade-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('a server prints the steps in which it upgrades its embedded database', async () => {
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const database = openSqlite(join(dataDir, 'marquee.db'))
  await migrateAll(database, FIRST)
  await database.close()

  const server = await startServer({ PORT: String(await freePort()), DATA_DIR: dataDir })
  await server.end('SIGTERM')

  const printed = server.output().split('\n')
  const steps = printed.filter((line) => line.startsWith('Bringing the database up to date: product '))
  expect(printed[0]).toMatch(/^Copying the database before its upgrade: \d MB$/u)
  expect(printed[1]).toContain(`Its state from before is kept in ${join(dataDir, 'backups')}`)
  for (const step of steps) expect(step).toMatch(/ product \d{4}_\w+ \(\d+ of \d+\)$/u)
  expect(steps.length).toBeGreaterThan(5)
})
