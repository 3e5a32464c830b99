import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

import { Refusal } from '@marquee/platform/runtime/refusal'

export type Row = Readonly<Record<string, unknown>>

/** A table to copy: its columns, and those of its primary key in order. */
export type Table = { name: string; columns: readonly string[]; key: readonly string[]; rows: number }

export type Source = {
  /** Each table before the tables that refer to it. */
  tables: readonly Table[]
  /** The names of the migrations that have run, by the table that records them. */
  migrations: ReadonlyMap<string, readonly string[]>
  /** The next rows in the order of the primary key, after the given one. */
  rowsAfter: (table: Table, key: readonly unknown[] | undefined, limit: number) => Row[]
  close: () => void
}

/** @throws Refusal if there is no embedded database. */
export function requireSource(path: string): void {
  if (!existsSync(path)) throw new Refusal(`There is no embedded instance to move: ${path} does not exist.`)
}

/**
 * Opens the embedded database for reading, and locks it until it is closed.
 * @throws Refusal if another program has it open
 */
export function openSource(path: string): Source {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma locking_mode = exclusive; begin immediate; commit')
  } catch (error) {
    database.close()
    if (error instanceof Error && /locked|busy/iu.test(error.message)) {
      throw new Refusal(`Another program has ${path} open. Stop it first: what it writes during a move would be lost.`)
    }
    throw error
  }
  const lists = namesOfTables(database).filter((name) => name.endsWith('_migration'))
  return {
    tables: describeTables(database),
    migrations: new Map(lists.map((list) => [list, column(database, `select name from "${list}" order by name`)])),
    rowsAfter: (table, key, limit) => {
      const order = table.key.map((name) => `"${name}"`).join(', ')
      const from = key ? `where (${order}) > (${key.map(() => '?').join(', ')})` : ''
      const statement = database.prepare(`select * from "${table.name}" ${from} order by ${order} limit ?`)
      return statement.all(...((key ?? []) as SQLInputValue[]), limit)
    },
    close: () => {
      database.close()
    },
  }
}

/** All tables but those that record migrations, each before the tables that refer to it. */
export function describeTables(database: DatabaseSync): Table[] {
  const contents = namesOfTables(database).filter((name) => !/_migration(?:_lock)?$/u.test(name))
  return parentsFirst(database, contents).map((name) => describe(database, name))
}

function namesOfTables(database: DatabaseSync): string[] {
  return column(database, `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
}

function describe(database: DatabaseSync, name: string): Table {
  const columns = database.prepare('select name, pk from pragma_table_info(?) order by cid').all(name)
  const key = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a['pk']) - Number(b['pk']))
  const counted = database.prepare(`select count(*) as rows from "${name}"`).get()
  return {
    name,
    columns: columns.map((each) => String(each['name'])),
    key: key.map((each) => String(each['name'])),
    rows: Number(counted?.['rows']),
  }
}

function parentsFirst(database: DatabaseSync, names: readonly string[]): string[] {
  const sorted: string[] = []
  const visit = (name: string): void => {
    if (sorted.includes(name)) return
    const parents = database.prepare('select distinct "table" as parent from pragma_foreign_key_list(?)').all(name)
    for (const { parent } of parents) if (parent !== name) visit(String(parent))
    sorted.push(name)
  }
  for (const name of names) visit(name)
  return sorted
}

function column(database: DatabaseSync, query: string): string[] {
  return database
    .prepare(query)
    .all()
    .map((row) => String(row['name']))
}
