import { type RawBuilder, sql } from 'kysely'

import { type AnyDb, dialectOf } from './database.ts'

/**
 * An array of JSON objects made of the rows of `from` (a FROM clause with its WHERE), in the given order; `[]` without
 * rows. It arrives as text on both databases. Keys of `object` are the names in the JSON, values SQL expressions.
 */
export function jsonArray(
  db: AnyDb,
  object: Readonly<Record<string, RawBuilder<unknown>>>,
  { orderBy, from }: { orderBy: RawBuilder<unknown>; from: RawBuilder<unknown> },
): RawBuilder<string> {
  const isSqlite = dialectOf(db) === 'sqlite'
  const fields = sql.join(Object.entries(object).map(([key, value]) => sql`${sql.lit(key)}, ${value}`))
  const element = isSqlite ? sql`json_object(${fields})` : sql`json_build_object(${fields})`
  const aggregate = isSqlite ? sql`json_group_array` : sql`json_agg`
  return sql<string>`(select cast(coalesce(${aggregate}(${element} order by ${orderBy}), '[]') as text) ${from})`
}

/** True where a text column holds one of the values; one statement, however many they are. */
export function isOneOf(db: AnyDb, column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> {
  return dialectOf(db) === 'sqlite'
    ? sql<boolean>`${column} in (select value from json_each(${JSON.stringify(values)}))`
    : sql<boolean>`${column} = any(${values})`
}
