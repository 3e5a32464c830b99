import { type RawBuilder, sql } from 'kysely'

import { type AnyDb, dialectOf } from './database.ts'

/**
 * An array of JSON objects from the rows of `from` (a FROM clause with its WHERE), in the given order; `[]` without
 * rows. Both databases return it as text. Keys of `object` are the names in the JSON, values are SQL expressions.
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

/** The names of an entity's fields in JSON, with their columns. */
type JsonShape<Row> = Readonly<Record<string, keyof Row & string>>

/** The columns of `table` as the values of `jsonArray`. */
export function jsonColumns<Row>(table: string, shape: JsonShape<Row>): Record<string, RawBuilder<unknown>> {
  return Object.fromEntries(Object.entries(shape).map(([name, column]) => [name, sql.ref(`${table}.${column}`)]))
}

/** A row in the same JSON shape. */
export function toJson<Row, const Shape extends JsonShape<Row>>(
  row: Row,
  shape: Shape,
): { -readonly [Name in keyof Shape]: Row[Shape[Name]] } {
  // `Object.fromEntries` loses the types of the keys.
  return Object.fromEntries(Object.entries(shape).map(([name, column]) => [name, row[column]])) as {
    -readonly [Name in keyof Shape]: Row[Shape[Name]]
  }
}

/** Texts as one value of a statement that `prepared` made. */
export type TextList = string & { readonly isTextList: true }

export function textList(db: AnyDb, values: readonly string[]): TextList {
  return (dialectOf(db) === 'sqlite' ? JSON.stringify(values) : values) as TextList
}

/** True if a text column has one of the values. */
export function isInList(db: AnyDb, column: RawBuilder<unknown>, values: TextList): RawBuilder<boolean> {
  return dialectOf(db) === 'sqlite'
    ? sql<boolean>`${column} in (select value from json_each(${values}))`
    : sql<boolean>`${column} = any(${values})`
}

/** The same for values that are known now. The statement has the same text for any number of them. */
export function isOneOf(db: AnyDb, column: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> {
  return isInList(db, column, textList(db, values))
}

/**
 * A JSON array as rows to insert into `table`: its objects have the names of these columns. However many rows there are,
 * the statement has one value.
 */
export function rowsOfJson<Row>(
  db: AnyDb,
  { table, columns, json }: { table: string; columns: readonly (keyof Row & string)[]; json: string },
): RawBuilder<Row> {
  if (dialectOf(db) === 'sqlite') {
    const fields = columns.map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
    return sql<Row>`select ${sql.join(fields)} from json_each(${json})`
  }
  const fields = columns.map((name) => sql.ref(name))
  return sql<Row>`select ${sql.join(fields)} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
}
