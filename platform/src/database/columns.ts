import { type CreateTableBuilder, type RawBuilder, sql } from 'kysely'

import { type AnyDb, dialectOf } from './database.ts'

/** Text compared byte by byte on both databases: identifiers, times and cursors. */
export function keyText(db: AnyDb): RawBuilder<unknown> {
  return dialectOf(db) === 'sqlite' ? sql`text` : sql`text collate "C"`
}

/** Integers that may exceed 32 bits. */
export function bigInteger(db: AnyDb): RawBuilder<unknown> {
  return dialectOf(db) === 'sqlite' ? sql`integer` : sql`bigint`
}

/** Random bytes: sealed boxes, hashes, salts. */
export function binary(db: AnyDb): RawBuilder<unknown> {
  return dialectOf(db) === 'sqlite' ? sql`blob` : sql`bytea`
}

/** Clusters a table by its primary key on SQLite, so that rows that are read together are stored together. */
export function clustered<T extends string, C extends string>(
  db: AnyDb,
  table: CreateTableBuilder<T, C>,
): CreateTableBuilder<T, C> {
  return dialectOf(db) === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table
}
