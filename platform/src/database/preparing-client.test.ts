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

let database: Database<unknown>
beforeAll(async () => {
  database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined })
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

test('shapes with the same text share one prepared statement', async () => {
  const after = prepared<object, { title: string }, number>((db, _value, year) => newerThan(db, year))
  const other = prepared<object, { year: number }>((db) => tables(db).selectFrom('film').select('year'))

  const { read } = database
  expect([await after(read, {}, 1960), await after(read, {}, 1970), await other(read, {})]).toEqual([
    [{ title: 'Playtime' }],
    [],
    [{ year: 1967 }],
  ])
})
