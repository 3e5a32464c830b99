import { sql } from 'kysely'

import { bigInteger, keyText } from '@marquee/platform/database/columns'
import { type AnyDb, type Database, withTables } from '@marquee/platform/database/database'
import { ifAlone, underSchemaLock } from '@marquee/platform/database/schema-lock'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { MOVE_PROGRESS as PROGRESS } from '../migrations/unfinished-move.ts'
import type { Row, Table } from './source-store.ts'

/** Any number that no other program uses as an advisory lock in the same PostgreSQL database. */
const LOCK_ID = 7_216_834_502

/** The last copied key, as JSON in which bytes are `{"$": base64}`. */
export type Progress = { lastKey: readonly unknown[] | undefined; rows: number }

const rowTables = withTables<Record<string, Row>>
const progressTable = withTables<Record<typeof PROGRESS, { table_name: string; last_key: string; row_count: number }>>

/**
 * Keeps other moves out of the target while `work` runs, by an open transaction of `guard`, which is a separate connection
 * to the target.
 * @throws Refusal if another move is running
 */
export async function whileOnlyMove(guard: Database<unknown>, work: () => Promise<void>): Promise<void> {
  if (await ifAlone(guard, LOCK_ID, work)) return
  throw new Refusal('Another move into this database is at work. Wait until it has ended.')
}

/**
 * Marks the target before anything is created in it: from then on the server does not start on it, and only a move can
 * continue.
 * @throws Refusal if it has rows and no move was begun
 */
export async function beginMove(target: Database<unknown>, tables: readonly Table[]): Promise<void> {
  await underSchemaLock(target, async (trx) => {
    const there = new Set((await trx.introspection.getTables()).map(({ name }) => name))
    if (there.has(PROGRESS)) return
    for (const { name } of tables) {
      if (!there.has(name) || (await isEmpty(trx, name))) continue
      throw new Refusal(`The database to move into is in use already: ${name} has rows. Name an empty one.`)
    }
    await trx.schema
      .createTable(PROGRESS)
      .addColumn('table_name', keyText(trx), (column) => column.primaryKey())
      .addColumn('last_key', 'text', (column) => column.notNull())
      .addColumn('row_count', bigInteger(trx), (column) => column.notNull())
      .execute()
  })
}

export async function endProgress(database: Database<unknown>): Promise<void> {
  await database.schema.schema.dropTable(PROGRESS).execute()
}

async function isEmpty(trx: AnyDb, table: string): Promise<boolean> {
  const row = await rowTables(trx)
    .selectFrom(table)
    .select(sql`1`.as('one'))
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}

export async function readProgress(database: Database<unknown>, table: Table): Promise<Progress> {
  const row = await progressTable(database.read)
    .selectFrom(PROGRESS)
    .select(['last_key', 'row_count'])
    .where('table_name', '=', table.name)
    .executeTakeFirst()
  return row ? { lastKey: parseKey(row.last_key), rows: row.row_count } : { lastKey: undefined, rows: 0 }
}

/** Adds rows and records the progress, both or neither. */
export async function addRows(
  database: Database<unknown>,
  table: Table,
  { rows, reached }: { rows: readonly Row[]; reached: { lastKey: readonly unknown[]; rows: number } },
): Promise<void> {
  await database.transaction(async (trx) => {
    await rowTables(trx)
      .insertInto(table.name)
      .values(rows)
      // A trigger may have added the row. All rows are compared at the end.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const columns = { last_key: formatKey(reached.lastKey), row_count: reached.rows }
    await progressTable(trx)
      .insertInto(PROGRESS)
      .values({ table_name: table.name, ...columns })
      .onConflict((conflict) => conflict.column('table_name').doUpdateSet(columns))
      .execute()
  })
}

/** The next rows in the order of the primary key, after the given one. */
export async function rowsAfter(
  db: AnyDb,
  table: Table,
  { key, limit }: { key: readonly unknown[] | undefined; limit: number },
): Promise<Row[]> {
  const order = sql.join(table.key.map((name) => sql.ref(name)))
  const from = key ? sql`where (${order}) > (${sql.join(key)})` : sql``
  const query = sql<Row>`select * from ${sql.table(table.name)} ${from} order by ${order} limit ${limit}`
  return (await query.execute(rowTables(db))).rows
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
