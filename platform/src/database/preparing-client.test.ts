import type { HeapProfiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

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

/** What lived longer than the small collections of garbage while `work` ran, in bytes. */
async function bytesThatStay(work: () => Promise<void>): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.startSampling', { samplingInterval: 4_096, includeObjectsCollectedByMajorGC: true })
  await work()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return bytesBelow(profile.head)
}

function bytesBelow({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + bytesBelow(child), selfSize)
}

test('the rows of a statement leave memory with the next small collection of garbage', async () => {
  const read = async () => {
    // Half a megabyte each.
    for (let page = 0; page < 100; page += 1) {
      await sql`select n, repeat('x', 1000) as text from generate_series(1, 500) as n`.execute(database.read)
    }
  }

  // Other tests of the process leave garbage behind that is counted, too.
  const stayed = [await bytesThatStay(read), await bytesThatStay(read), await bytesThatStay(read)]
  expect(Math.min(...stayed)).toBeLessThan(30_000_000)
})
