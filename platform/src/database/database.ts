import { type Kysely, SqliteAdapter } from 'kysely'

import type { Sent } from './sent.ts'

/** Open connections, busy ones, and how much work waits: for a connection, or on SQLite for its turn to write. */
export type DatabaseLoad = { open: number; inUse: number; waiting: number }

export type DialectName = 'sqlite' | 'postgres'

export type TransactionOptions = {
  /**
   * The key of the row that `work` locks, if everything it writes belongs to that row. On PostgreSQL, works with different
   * keys may then share a transaction. On SQLite all works may.
   */
  readonly locks?: string
}

/**
 * The database. `read` is for single statements outside a transaction and never sees unfinished work.
 * `transaction` runs `work` alone: all of it is durable when the promise resolves, none of it when it rejects.
 * `work` awaits only statements of its transaction, since on SQLite all writers share one connection. It has no effect
 * outside the database, because it may run again on PostgreSQL. If it returns the result of its last `send`,
 * the commit leaves in the same message.
 * Statements made by `prepared` may be sent `together`: they leave in one message and run in order, each seeing what
 * was committed before it began.
 */
export type Database<Tables> = {
  readonly dialect: DialectName
  readonly read: Kysely<Tables>
  transaction: <T>(work: (trx: Kysely<Tables>) => Promise<T | Sent<T>>, options?: TransactionOptions) => Promise<T>
  /** The same database with the types of other tables: each part of the program knows only its own. */
  withTables: <Other>() => Database<Other>
  /** Whether a statement has found the database damaged since the program started. */
  readonly isDamaged: () => boolean
  /** The current load. */
  readonly load: () => DatabaseLoad
  /** For schema changes at the start, before any other statement. */
  readonly schema: Kysely<unknown>
  close: () => Promise<void>
}

/** Any connection or transaction. A store gives it the types of its tables before it can query them. */
export type AnyDb = Pick<Kysely<unknown>, 'executeQuery' | 'getExecutor' | 'introspection' | 'schema'>

/** The SQL dialect, for statements that differ between the databases. */
export function dialectOf(db: AnyDb): DialectName {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
}

/** The same connection with the types of the given tables: each part of the program knows only its own. */
export function withTables<Tables>(db: AnyDb): Kysely<Tables> {
  return db as Kysely<Tables>
}
