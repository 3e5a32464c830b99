import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshPostgresUrl } from '../testing/postgres-server.ts'
import { type AnyDb, type Database, withTables } from './database.ts'
import { openPostgres } from './postgres.ts'
import { prepared } from './prepared.ts'

type Tables = { film: { title: string; year: number } }

const tables = withTables<Tables>

const newerThan = (db: AnyDb, year: number) => tables(db).selectFrom('film').select('title').where('year', '>', year)
const newer = prepared<{ than: number }, { title: string }>((db, value) => newerThan(db, value('than')))

const KEPT_ROWS = fileURLToPath(new URL('../testing/kept-rows-process.ts', import.meta.url))

let url: string
let database: Database<unknown>
beforeAll(async () => {
  url = await freshPostgresUrl()
  database = openPostgres(url, { onIdleError: () => undefined })
  await sql`create table film as select 'Playtime' as title, 1967 as year`.execute(database.schema)
})
afterAll(async () => {
  await database.close()
})

test('PostgreSQL keeps the statements made by `prepared`, and no others', async () => {
  const { rows } = await database.transaction(async (trx) => {
    await newer(trx, { than: 1960 })
    await newer(trx, { than: 1970 })
    await tables(trx).selectFrom('film').selectAll().execute()
    return await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(trx)
  })

  expect(rows.map((row) => row.statement)).toEqual([newerThan(database.read, 0).compile().sql])
})

test('statement shapes with the same text share one prepared statement, and return the rows of their own values', async () => {
  const after = prepared<object, { title: string }, number>((db, _value, year) => newerThan(db, year))
  const other = prepared<object, { year: number }>((db) => tables(db).selectFrom('film').select('year'))

  const { read } = database
  expect([await after(read, {}, 1960), await after(read, {}, 1970), await other(read, {})]).toEqual([
    [{ title: 'Playtime' }],
    [],
    [{ year: 1967 }],
  ])
  const { rows } = await database.transaction(async (trx) => {
    await after(trx, {}, 1960)
    await after(trx, {}, 1970)
    const text = newerThan(trx, 0).compile().sql
    return await sql`select name from pg_prepared_statements where statement = ${text}`.execute(trx)
  })
  expect(rows).toHaveLength(1)
})

test('the rows of a statement are freed by the next minor garbage collection', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [KEPT_ROWS, url])

  // Of 50 MB that were read.
  expect(Number(stdout)).toBeLessThan(30_000_000)
})
