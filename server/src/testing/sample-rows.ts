import { sql } from 'kysely'

import type { Database } from '@marquee/platform/database/database'

type Column = { name: string; type: string; isOptional: boolean }
type Link = { column: string; parent: string; parentColumn: string }
export type SampleTable = { name: string; columns: readonly Column[]; links: readonly Link[] }

const ROWS = 3

/** What the checks of the tables need. */
const FITTING: Readonly<Record<string, (n: number) => unknown>> = {
  'card.status': (n) => (isFirst(n) ? 'SUGGESTED' : 'ACCEPTED'),
  'card.movie': (n) => (isFirst(n) ? null : `{"year":${1970 + n},"genres":["Drama"]}`),
  'card.selection_index': (n) => (isFirst(n) ? 0 : null),
  'card.image_url': (n) => (isFirst(n) ? null : `https://example.org/${n}.jpg`),
  'card.image_hash': (n) => (isFirst(n) ? 'a'.repeat(64) : null),
}

/** The first row of a batch has as few values as it may. */
const isFirst = (n: number) => n % ROWS === 0

/** The tables of an SQLite database, parents first, with what is needed to insert rows into the same tables elsewhere. */
export async function describeTables(database: Database<unknown>): Promise<SampleTable[]> {
  const names = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '%_migration'`.execute(
    database.read,
  )
  const tables = await Promise.all(names.rows.map(async ({ name }) => await describeTable(database, name)))
  const sorted: SampleTable[] = []
  const visit = (table: SampleTable): void => {
    if (sorted.includes(table)) return
    for (const { parent } of table.links) {
      const found = tables.find(({ name }) => name === parent)
      if (found && found !== table) visit(found)
    }
    sorted.push(table)
  }
  tables.forEach(visit)
  return sorted
}

async function describeTable({ read }: Database<unknown>, name: string): Promise<SampleTable> {
  const columns = await sql<{ name: string; type: string; notnull: number; pk: number }>`
    select name, type, "notnull", pk from pragma_table_info(${name})`.execute(read)
  const links = await sql<{ column: string; parent: string; parentColumn: string }>`
    select "from" as "column", "table" as "parent", "to" as "parentColumn"
    from pragma_foreign_key_list(${name})`.execute(read)
  return {
    name,
    columns: columns.rows.map((row) => ({
      name: row.name,
      type: row.type.toLowerCase(),
      isOptional: row.notnull === 0 && row.pk === 0,
    })),
    links: links.rows,
  }
}

/**
 * Inserts a few rows into every table, each column with a value that shows where it came from. Each batch has rows of its
 * own.
 */
export async function addSampleRows(
  database: Database<unknown>,
  tables: readonly SampleTable[],
  batch = 0,
): Promise<void> {
  await database.transaction(async (trx) => {
    for (const table of tables) {
      const names = sql.join(table.columns.map(({ name }) => sql.ref(name)))
      const rows = Array.from({ length: ROWS }, (_, place) => {
        const cells = table.columns.map((column) => valueOf(tables, table, column, batch * ROWS + place))
        return sql`(${sql.join(cells)})`
      })
      await sql`insert into ${sql.table(table.name)} (${names}) values ${sql.join(rows)}`.execute(trx)
    }
  })
}

function valueOf(tables: readonly SampleTable[], table: SampleTable, column: Column, n: number): unknown {
  const link = table.links.find((each) => each.column === column.name)
  const parent = link && tables.find(({ name }) => name === link.parent)
  const parentColumn = parent?.columns.find(({ name }) => name === link?.parentColumn)
  if (parent && parentColumn) return valueOf(tables, parent, parentColumn, n)
  const fitting = FITTING[`${table.name}.${column.name}`]
  if (fitting) return fitting(n)
  if (column.isOptional && isFirst(n)) return null
  if (column.type === 'integer') return n
  if (column.type === 'blob') return Buffer.from(`${table.name}.${column.name}.${n}`)
  return `${table.name}.${column.name}.${n}`
}

/** The rows of the given columns, as text that is the same on both databases. */
export async function readSampleRows(
  { read }: Database<unknown>,
  tables: readonly SampleTable[],
): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const { name, columns } of tables) {
    const list = sql.join(columns.map((column) => sql.ref(column.name)))
    const { rows } = await sql<Record<string, unknown>>`select ${list} from ${sql.table(name)}`.execute(read)
    all[name] = rows.map((row) => JSON.stringify(Object.values(row).map(asText))).toSorted()
  }
  return all
}

function asText(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
