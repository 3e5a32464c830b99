import { sql } from 'kysely'

import { type AnyDb, dialectOf, withTables } from './database.ts'
import { type AddedIndex, indexStatement } from './migration.ts'

const UNFINISHED = 'unfinished_migration'

type Unfinished = { part: string; name: string; place: string | null }

const lists = withTables<Record<string, { name: string; timestamp: string }>>
const unfinished = withTables<{ [UNFINISHED]: Unfinished }>

/** The migrations of one part that have run. Creates their table if it does not exist. */
export async function readDone(trx: AnyDb, set: string): Promise<string[]> {
  await trx.schema
    .createTable(listOf(set))
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute()
  const rows = await lists(trx).selectFrom(listOf(set)).select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

export async function addDone(trx: AnyDb, set: string, name: string): Promise<void> {
  // The time is information for operators, so the clock of the database will do.
  const timestamp = sql<string>`cast(current_timestamp as varchar(255))`
  await lists(trx).insertInto(listOf(set)).values({ name, timestamp }).execute()
}

function listOf(set: string): string {
  return `${set}_migration`
}

/** The migrations on PostgreSQL whose tables are there, but whose backfill or indexes may not be complete. */
export async function readUnfinished(db: AnyDb): Promise<Unfinished[]> {
  const { rows } = await sql`select 1 from pg_tables
    where schemaname = current_schema() and tablename = ${UNFINISHED}`.execute(unfinished(db))
  return rows.length === 0 ? [] : await unfinished(db).selectFrom(UNFINISHED).selectAll().execute()
}

export async function addUnfinished(trx: AnyDb, part: string, name: string): Promise<void> {
  await trx.schema
    .createTable(UNFINISHED)
    .ifNotExists()
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('place', 'text')
    .addPrimaryKeyConstraint(`${UNFINISHED}_pk`, ['part', 'name'])
    .execute()
  await unfinished(trx).insertInto(UNFINISHED).values({ part, name, place: null }).execute()
}

/** Saves how far a backfill has come. */
export async function savePlace(trx: AnyDb, part: string, name: string, place: string): Promise<void> {
  await unfinished(trx)
    .updateTable(UNFINISHED)
    .set({ place })
    .where('part', '=', part)
    .where('name', '=', name)
    .execute()
}

export async function removeUnfinished(db: AnyDb, part: string, name: string): Promise<void> {
  await unfinished(db).deleteFrom(UNFINISHED).where('part', '=', part).where('name', '=', name).execute()
}

/**
 * Locks those of the tables that exist, parents first: requests write to a parent before its children. Gives up after
 * `waitMs`, because everything that needs these tables waits behind this statement.
 */
export async function lockTables(trx: AnyDb, tables: readonly string[], waitMs: number): Promise<void> {
  const db = withTables<unknown>(trx)
  const { rows } = await sql<{ name: string }>`
    with recursive ancestor (id, parent, depth) as (
      select oid, oid, 0 from pg_class
        where relkind in ('r', 'p') and pg_table_is_visible(oid) and relname = any(${[...tables]}::text[])
      union select ancestor.id, confrelid, depth + 1 from ancestor
        join pg_constraint on conrelid = ancestor.parent and contype = 'f' and confrelid <> conrelid
        where depth < 20
    )
    select relname as name from ancestor join pg_class on oid = id group by relname order by max(depth), relname`.execute(
    db,
  )
  if (rows.length === 0) return
  // Both limits: the first is for each table, the second for all of them.
  await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(db)
  await sql`set local statement_timeout = ${sql.lit(waitMs)}`.execute(db)
  await sql`lock table ${sql.join(rows.map(({ name }) => sql.table(name)))} in access exclusive mode`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
}

/** Limits how long the statements of a transaction wait for locks, not how long they run. */
export async function waitForLocks(trx: AnyDb, waitMs: number): Promise<void> {
  const db = withTables<unknown>(trx)
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
  await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(db)
}

/** Creates an index beside requests that write, unless it is there. One that was left incomplete is created again. */
export async function createIndexConcurrently(connection: AnyDb, index: AddedIndex): Promise<void> {
  const db = withTables<unknown>(connection)
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index join pg_class on oid = indexrelid
    where relname = ${index.name} and pg_table_is_visible(oid)`.execute(db)
  if (rows[0]?.valid === true) return
  if (rows[0]?.valid === false) await removeIndexConcurrently(db, index.name)
  await sql.raw(indexStatement(index, 'postgres', 'concurrently')).execute(db)
}

export async function removeIndexConcurrently(connection: AnyDb, name: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(withTables<unknown>(connection))
}

export async function createIndex(trx: AnyDb, index: AddedIndex): Promise<void> {
  await sql.raw(indexStatement(index, dialectOf(trx))).execute(withTables<unknown>(trx))
}

export async function removeIndex(trx: AnyDb, name: string): Promise<void> {
  await sql`drop index ${sql.ref(name)}`.execute(withTables<unknown>(trx))
}
