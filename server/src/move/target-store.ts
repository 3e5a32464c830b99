import { sql } from 'kysely'

import { bigInteger, keyText } from '@marquee/platform/database/columns'
import type { AnyDb, Database } from '@marquee/platform/database/database'

import type { Row, Table } from './source-store.ts'

/** How far a move has come. The table is there from its first step to its last, and keeps the program from starting. */
const PROGRESS = 'move_progress'

/** The last key that was copied, as JSON in which bytes are `{"$": base64}`. */
export type Progress = { lastKey: readonly unknown[] | undefined; rows: number }

/** The program is not to run on half of its data. */
export class MoveUnfinished extends Error {
  override readonly name = 'MoveUnfinished'
  override readonly message =
    'A move into this database has not ended. Run `npm run marquee -- move` again: it goes on where it stopped.'
}

export async function isMoveUnfinished(database: Database<unknown>): Promise<boolean> {
  const tables = await database.schema.introspection.getTables()
  return tables.some(({ name }) => name === PROGRESS)
}

export async function beginProgress(database: Database<unknown>): Promise<void> {
  await database.schema.schema
    .createTable(PROGRESS)
    .ifNotExists()
    .addColumn('table_name', keyText(database.schema), (column) => column.primaryKey())
    .addColumn('last_key', 'text', (column) => column.notNull())
    .addColumn('row_count', bigInteger(database.schema), (column) => column.notNull())
    .execute()
}

export async function endProgress(database: Database<unknown>): Promise<void> {
  await database.schema.schema.dropTable(PROGRESS).execute()
}

/** The migrations that have run, by the list they stand in. */
export async function readMigrations(database: Database<unknown>, list: string): Promise<string[]> {
  const rows: { name: string }[] = await anyDb(database).selectFrom(list).select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

export async function isEmpty(database: Database<unknown>, table: Table): Promise<boolean> {
  const row = await anyDb(database)
    .selectFrom(table.name)
    .select(sql`1`.as('one'))
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}

export async function readProgress(database: Database<unknown>, table: Table): Promise<Progress> {
  const row: { last_key: string; row_count: number } | undefined = await anyDb(database)
    .selectFrom(PROGRESS)
    .select(['last_key', 'row_count'])
    .where('table_name', '=', table.name)
    .executeTakeFirst()
  return row ? { lastKey: parseKey(row.last_key), rows: row.row_count } : { lastKey: undefined, rows: 0 }
}

/** Adds rows and how far they reach, both or neither. */
export async function addRows(
  database: Database<unknown>,
  table: Table,
  { rows, reached }: { rows: readonly Row[]; reached: { lastKey: readonly unknown[]; rows: number } },
): Promise<void> {
  await database.transaction(async (trx) => {
    const db: AnyDb = trx
    await db.insertInto(table.name).values(rows).execute()
    const columns = { last_key: formatKey(reached.lastKey), row_count: reached.rows }
    await db
      .insertInto(PROGRESS)
      .values({ table_name: table.name, ...columns })
      .onConflict((conflict) => conflict.column('table_name').doUpdateSet(columns))
      .execute()
  })
}

/** The next rows in the order of their primary key, from after the given one. */
export async function rowsAfter(
  database: Database<unknown>,
  table: Table,
  { key, limit }: { key: readonly unknown[] | undefined; limit: number },
): Promise<Row[]> {
  const order = sql.join(table.key.map((name) => sql.ref(name)))
  const from = key ? sql`where (${order}) > (${sql.join(key)})` : sql``
  const query = sql<Row>`select * from ${sql.table(table.name)} ${from} order by ${order} limit ${limit}`
  return (await query.execute(database.read)).rows
}

function anyDb(database: Database<unknown>): AnyDb {
  return database.read
}

function formatKey(key: readonly unknown[]): string {
  return JSON.stringify(
    key.map((part) => (part instanceof Uint8Array ? { $: Buffer.from(part).toString('base64') } : part)),
  )
}

function parseKey(text: string): unknown[] {
  const parts = JSON.parse(text) as (string | number | { $: string })[]
  return parts.map((part) => (typeof part === 'object' ? Buffer.from(part.$, 'base64') : part))
}
