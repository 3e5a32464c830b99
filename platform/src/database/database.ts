import { type Kysely, SqliteAdapter } from 'kysely'

import type { Sent } from './sent.ts'

/** Connections that are open, those at work, and how many wait: for a connection, or embedded for their turn to write. */
export type DatabaseLoad = { open: number; inUse: number; waiting: number }

export type DialectName = 'sqlite' | 'postgres'

/**
 * The database. `read` is for single statements outside a transaction and never sees unfinished work.
 * `transaction` runs `work` alone: all of it is durable when the promise resolves, none of it when it rejects.
 * `work` awaits only statements of its transaction, since on SQLite all writers share one connection. It has no effect
 * outside the database, because it runs again if PostgreSQL finds a conflict. If it returns what it `send`s last, the
 * commit leaves in the same message.
 * Statements made by `prepared` may be asked for `together`: they leave in one message and run in order, each seeing what
 * was committed before it began.
 */
export type Database<Tables> = {
  readonly dialect: DialectName
  readonly read: Kysely<Tables>
  transaction: <T>(work: (trx: Kysely<Tables>) => Promise<T | Sent<T>>) => Promise<T>
  /** The same database seen as holding other tables: each part of the program knows only its own. */
  withTables: <Other>() => Database<Other>
  /** Whether a statement has found the database damaged since the program started. */
  readonly isDamaged: () => boolean
  /** How busy it is at this moment. */
  readonly load: () => DatabaseLoad
  /** For schema changes at the start, before anything else runs. */
  readonly schema: AnyDb
  close: () => Promise<void>
}

// oxlint-disable-next-line typescript/no-explicit-any -- a queue or migration joins whichever transaction its caller holds
export type AnyDb = Kysely<any>

/** Which SQL a statement must be written in, where the two differ. */
export function dialectOf(db: AnyDb): DialectName {
  return db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
}

/** A connection seen as holding the given tables: each part of the program knows only its own. */
export function withTables<Tables>(db: AnyDb): Kysely<Tables> {
  return db as Kysely<Tables>
}
