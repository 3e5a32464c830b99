import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { freshPostgresUrl, migratedPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { makeTables, MIGRATIONS } from '../migrations/make-tables.ts'
import { addSampleRows, describeTables, readSampleRows, type SampleTable } from '../testing/sample-rows.ts'
import { checkDatabase, countRows } from '../backup/database-store.ts'
import { copySnapshot } from './postgres-snapshot-store.ts'

let folder: string
/** With rows in every table, in some of them several pages. */
let database: Database<unknown>
let tables: SampleTable[]
let copies = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-snapshot-'))
  const model = openSqlite(join(folder, 'model.db'))
  await makeTables(model)
  tables = await describeTables(model)
  await model.close()
  database = await aDatabase()
  await addSampleRows(database, tables)
  await sql`insert into person (user_id, username) select 'p' || n, 'ana' from generate_series(1, 2000) as n`.execute(
    database.read,
  )
  // Two columns of its key are the same in all rows of several pages.
  await sql`insert into status_change (watchlist_id, card_id, seq, status, changed_by, changed_at)
    select watchlist_id, id, n, 'WATCHED', 'p1', '2026' from card, generate_series(100, 1300) as n`.execute(
    database.read,
  )
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function aDatabase(url?: string): Promise<Database<unknown>> {
  return openPostgres(url ?? (await migratedPostgresUrl(MIGRATIONS)), { onIdleError: () => undefined })
}

const aFile = () => join(folder, `copy-${(copies += 1)}.db`)

async function rowsIn(file: string): Promise<Record<string, string[]>> {
  const copy = openSqlite(file)
  const rows = await readSampleRows(copy, tables)
  await copy.close()
  return rows
}

test('a copy has every row of every table unchanged, and passes the integrity check', async () => {
  const file = aFile()
  const counts = await copySnapshot(database, file)

  const [rows, original] = [await rowsIn(file), await readSampleRows(database, tables)]
  expect(Object.keys(rows).filter((table) => rows[table]?.length === 0)).toEqual([])
  expect(rows).toEqual(original)
  expect(countRows(file)).toMatchObject(counts)
  expect(counts).toMatchObject({ watchlist: 3, person: 2_003, status_change: 3_606 })
  expect(() => {
    checkDatabase(file)
  }).not.toThrow()
})

test('a copy has the triggers of an embedded database', async () => {
  const [file, model] = [aFile(), openSqlite(join(folder, 'model.db'))]
  await copySnapshot(database, file)
  const copy = openSqlite(file)
  const schema = async (of: Database<unknown>) =>
    (await sql`select type, name, sql from sqlite_master where type = 'trigger' order by name`.execute(of.read)).rows
  const [ours, theirs] = [await schema(copy), await schema(model)]
  await Promise.all([copy.close(), model.close()])

  expect(ours.length).toBeGreaterThan(0)
  expect(ours).toEqual(theirs)
})

test('a copy shows one moment even while rows are added, changed and removed', async () => {
  const file = aFile()
  const original = await readSampleRows(database, tables)
  let isChanged = false
  await copySnapshot(database, file, async () => {
    if (isChanged) return
    isChanged = true
    await sql`insert into person (user_id, username) values ('late', 'late')`.execute(database.read)
    await sql`update watchlist set name = 'Renamed'`.execute(database.read)
    await sql`delete from comment`.execute(database.read)
  })

  const now = await readSampleRows(database, tables)
  expect(await rowsIn(file)).toEqual(original)
  expect(now['person']).toHaveLength(2_004)
  expect(now['comment']).toEqual([])
})

test('a copy gives way to a process that waits to change a table', async () => {
  const other = await aDatabase()
  await addSampleRows(other, tables)
  let changing: Promise<unknown> | undefined
  const copying = copySnapshot(other, aFile(), async (table) => {
    if (table !== 'watchlist' || changing) return
    changing = sql`alter table watchlist add column wonder text`.execute(other.schema)
    await expect
      .poll(async () => (await sql`select 1 from pg_locks where not granted`.execute(other.read)).rows.length)
      .toBe(1)
  })

  await expect(copying).rejects.toThrow('Another process waits to change the tables, so the backup gave way')
  await expect(changing).resolves.toBeDefined()
  await other.close()
})

test.each([
  ['that is empty', async () => await Promise.resolve(), 'does not have the tables of this version'],
  [
    'of an older version',
    async (of: Database<unknown>) => await sql`delete from product_migration where name > '0080'`.execute(of.schema),
    'does not have the tables of this version',
  ],
  [
    'of a newer version',
    async (of: Database<unknown>) =>
      await sql`insert into product_migration values ('9999_wonder', '')`.execute(of.schema),
    'does not have the tables of this version',
  ],
  [
    'whose upgrade has not ended',
    async (of: Database<unknown>) =>
      await sql
        .raw(`create table unfinished_migration (part text, name text, place text);
        insert into unfinished_migration values ('product', '0012_library', null)`)
        .execute(of.schema),
    'The upgrade of the database has not ended',
  ],
  [
    'into which a move has not ended',
    async (of: Database<unknown>) => await sql`create table move_progress (table_name text)`.execute(of.schema),
    'A move into this database has not ended',
  ],
])('a database %s is not copied', async (what, change, reason) => {
  const other = await aDatabase(what === 'that is empty' ? await freshPostgresUrl() : undefined)
  await change(other)
  const copying = copySnapshot(other, aFile())

  await expect(copying).rejects.toThrow(reason)
  await other.close()
})
