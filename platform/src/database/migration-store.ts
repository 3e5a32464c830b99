import { sql } from 'kysely'

import { type AnyDb, withTables } from './database.ts'

const tables = withTables<Record<string, { name: string; timestamp: string }>>

/** The migrations of one part that have run. Creates their table if it does not exist. */
export async function readDone(trx: AnyDb, set: string): Promise<string[]> {
  await trx.schema
    .createTable(listOf(set))
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute()
  const rows = await tables(trx).selectFrom(listOf(set)).select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

export async function addDone(trx: AnyDb, set: string, name: string): Promise<void> {
  // The time is information for operators, so the clock of the database will do.
  const timestamp = sql<string>`cast(current_timestamp as varchar(255))`
  await tables(trx).insertInto(listOf(set)).values({ name, timestamp }).execute()
}

function listOf(set: string): string {
  return `${set}_migration`
}
