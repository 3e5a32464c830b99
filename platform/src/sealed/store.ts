import { sql } from 'kysely'

import { type AnyDb, withTables } from '../database/database.ts'

/** An encrypted column of text. */
export type SealedPlace = {
  readonly table: string
  readonly column: string
  /** The primary key, all of it text. */
  readonly key: readonly string[]
}

export type SealedRow = { readonly key: readonly string[]; readonly sealed: string | null }

const tables = withTables<Record<string, Record<string, string | null>>>

/** The next rows in the order of the primary key, from the first one or after a given row. */
export async function listSealed(
  db: AnyDb,
  { table, column, key }: SealedPlace,
  { behind, limit }: { readonly behind: readonly string[] | undefined; readonly limit: number },
): Promise<SealedRow[]> {
  const names = sql.join(key.map((name) => sql.ref(name)))
  const page = tables(db)
    .selectFrom(table)
    .select([...key, column])
    .$if(behind !== undefined, (query) => query.where(sql<boolean>`(${names}) > (${sql.join([...(behind ?? [])])})`))
    .limit(limit)
  const rows = await key.reduce((query, name) => query.orderBy(name), page).execute()
  return rows.map((row) => ({ key: key.map((name) => row[name] ?? ''), sealed: row[column] ?? null }))
}

/** Replaces a value, unless it has changed in the meantime. False if it has. */
export async function replaceSealed(
  trx: AnyDb,
  { table, column, key }: SealedPlace,
  row: SealedRow,
  next: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(trx)
    .updateTable(table)
    .set({ [column]: next })
    .where((is) => is.and([...key.map((name, n) => is(name, '=', row.key[n] ?? '')), is(column, '=', row.sealed)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
