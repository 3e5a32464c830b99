import type { Kysely } from 'kysely'

import type { AnyDb, DialectName } from './database.ts'

/** An index of a table that existed before its migration. `on` is what follows `on` in its statement. */
export type AddedIndex = {
  readonly name: string
  readonly isUnique?: boolean
  readonly on: string | Readonly<Record<DialectName, string>>
}

/** What a batch has done: how many rows, and where the next one begins; no place if it was the last. */
export type Filled = { readonly rows: number; readonly place: string | undefined }

/**
 * A migration. On PostgreSQL, requests of the previous version continue meanwhile: `up` locks the tables that it `changes`
 * only for a moment, and everything whose work grows with the rows comes afterwards, before the process that migrates is
 * ready.
 */
export type Migration = {
  /** The earlier tables that `up` alters, adds a trigger to, or refers to by a foreign key. */
  readonly changes?: readonly string[]
  /** Creates and alters tables. It reads and writes no rows of earlier tables, and creates no index on them. */
  readonly up: (db: Kysely<unknown>) => Promise<void>
  /** Fills one batch of rows that existed before. It may run again for the same place, beside requests that write. */
  readonly backfill?: (db: AnyDb, place: string | undefined) => Promise<Filled>
  /** Indexes of earlier tables, created after the backfill. */
  readonly indexes?: readonly AddedIndex[]
  /** Indexes that are not needed any more, removed last. */
  readonly removedIndexes?: readonly string[]
}

/** Migrations by name; they run in the order of their names. A migration never changes once it is on `main`. */
export type Migrations = Readonly<Record<string, Migration>>

/** A migration failed. The message says why, what was changed, and what to do. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
}

/** A migration of one part. */
export type Step = { readonly set: string; readonly name: string; readonly migration: Migration }

/** Whether a step has work left after `up`. */
export function hasMore({ migration: { backfill, indexes = [], removedIndexes = [] } }: Step): boolean {
  return backfill !== undefined || indexes.length > 0 || removedIndexes.length > 0
}

export function indexStatement({ name, isUnique = false, on }: AddedIndex, dialect: DialectName, how = ''): string {
  return `create ${isUnique ? 'unique ' : ''}index ${how} ${name} on ${typeof on === 'string' ? on : on[dialect]}`
}
