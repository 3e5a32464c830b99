import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

import { type Kysely, sql } from 'kysely'

import type { Database } from '@marquee/platform/database/database'
import { readUnfinished } from '@marquee/platform/database/migration-store'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { listTables, readMigrations } from '../doctor/store.ts'
import { makeTables, MIGRATIONS } from '../migrations/make-tables.ts'
import { refuseUnfinishedMove } from '../migrations/unfinished-move.ts'
import { keyOf } from './move-tables.ts'
import { describeTables, type Row, type Table } from './source-store.ts'
import { rowsAfter } from './target-store.ts'
import { BackupDamaged } from '../backup/database-store.ts'

const PAGE = 500

/** Called after each page of rows. */
type Report = (table: string, rows: number) => Promise<void> | void

/**
 * Copies one moment of PostgreSQL to an embedded database in a new file, page by page, beside requests. Returns how many rows
 * each table had at that moment.
 * @throws {Refusal} if the tables are not those of this version, or another process waits to change them
 * @throws {BackupDamaged} if the file has not as many rows
 */
export async function copySnapshot(
  from: Database<unknown>,
  to: string,
  report: Report = () => undefined,
): Promise<Record<string, number>> {
  const empty = openSqlite(to)
  await makeTables(empty)
  await empty.close()
  const file = openForCopy(to)
  try {
    return await from.schema
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await sql`set local statement_timeout = 0`.execute(trx)
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
        await requireThisVersion(trx)
        const counts: Record<string, number> = {}
        for (const table of describeTables(file.database)) {
          const copied = await copyTable(trx, table, { addRows: file.addRows, report })
          const counted = await countRows(trx, table)
          if (copied !== counted)
            throw new BackupDamaged(`${copied} rows of ${table.name} were copied, and there are ${counted}.`)
          counts[table.name] = counted
        }
        file.finish()
        return counts
      })
  } finally {
    file.database.close()
  }
}

/** Pages follow each other in the order of their keys. So memory holds one page, and the file is written in order. */
async function copyTable(
  trx: Kysely<unknown>,
  table: Table,
  { addRows, report }: { addRows: (table: Table, rows: readonly Row[]) => void; report: Report },
): Promise<number> {
  let key: readonly unknown[] | undefined
  for (let copied = 0; ;) {
    const rows = await rowsAfter(trx, table, { key, limit: PAGE })
    const last = rows.at(-1)
    if (!last) return copied
    addRows(table, rows)
    key = keyOf(table, last)
    copied += rows.length
    await report(table.name, copied)
    await giveWay(trx)
  }
}

/** An upgrade waits for every transaction that reads its tables, and requests wait behind the upgrade. */
async function giveWay(trx: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)) limit 1`.execute(trx)
  if (rows.length > 0)
    throw new Refusal('Another process waits to change the tables, so the backup gave way. Try again later.')
}

async function requireThisVersion(trx: Kysely<unknown>): Promise<void> {
  await refuseUnfinishedMove(trx)
  const tables = await listTables(trx)
  for (const [part, known] of Object.entries(MIGRATIONS)) {
    const done = tables.has(`${part}_migration`) ? await readMigrations(trx, part) : []
    if (done.toSorted().join('\n') === Object.keys(known).toSorted().join('\n')) continue
    throw new Refusal(
      'The database does not have the tables of this version of Marquee. Use the version of its server, once that has started.',
    )
  }
  if ((await readUnfinished(trx)).length > 0)
    throw new Refusal('The upgrade of the database has not ended. Try again later.')
}

async function countRows(trx: Kysely<unknown>, { name }: Table): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(trx)
  return rows[0]?.rows ?? 0
}

/** The file of a copy, which is thrown away if it is not finished. Its triggers would add rows that are copied anyway. */
function openForCopy(path: string): {
  database: DatabaseSync
  addRows: (table: Table, rows: readonly Row[]) => void
  finish: () => void
} {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  database.exec('pragma journal_mode = delete; pragma synchronous = off')
  const triggers = database.prepare(`select name, sql from sqlite_master where type = 'trigger'`).all()
  for (const { name } of triggers) database.exec(`drop trigger "${String(name)}"`)
  return {
    database,
    addRows: ({ name, columns }, rows) => {
      const names = columns.map((column) => `"${column}"`).join(', ')
      const values = columns.map(() => '?').join(', ')
      const statement = database.prepare(`insert into "${name}" (${names}) values (${values})`)
      database.exec('begin')
      for (const row of rows) statement.run(...columns.map((column) => row[column] as SQLInputValue))
      database.exec('commit')
    },
    finish: () => {
      for (const { sql: statement } of triggers) database.exec(String(statement))
    },
  }
}
