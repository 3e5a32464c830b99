import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

import { runStatementsBy } from './statement-runner.ts'

/** A program has a few hundred statements; beyond this limit the oldest prepared ones are dropped. */
const STATEMENTS_KEPT = 500

export type Run = <R>(query: CompiledQuery) => QueryResult<R>

/**
 * Runs statements on a `node:sqlite` connection, which the caller opens and closes, and keeps them prepared. Errors go to
 * `onError` before they are thrown.
 */
export function sqliteRunner(database: DatabaseSync, onError: (error: unknown) => void): Run {
  const statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>()

  function prepare(sql: string): { statement: StatementSync; returnsRows: boolean } {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    statements.set(sql, prepared)
    if (statements.size > STATEMENTS_KEPT) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    return prepared
  }

  return <R>({ sql, parameters }: CompiledQuery) => {
    const values = parameters as SQLInputValue[]
    try {
      const { statement, returnsRows } = prepare(sql)
      if (returnsRows) return { rows: statement.all(...values) as R[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    } catch (error) {
      onError(error)
      throw error
    }
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connection: DatabaseConnection
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync, run: Run) {
    this.#database = database
    this.#connection = {
      executeQuery: async (query) => run(query),
      streamQuery: () => {
        throw new Error('SQLite results are not streamed')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    this.#database.exec('begin immediate')
  }

  async commitTransaction(): Promise<void> {
    this.#database.exec('commit')
  }

  async rollbackTransaction(): Promise<void> {
    if (this.#database.isTransaction) this.#database.exec('rollback')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class NodeSqliteAdapter extends SqliteAdapter {
  // SQLite's DDL is transactional: a failed migration leaves nothing behind.
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  // Every statement ends before the next can begin, so callers need not wait for the one connection.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Kysely on a connection whose statements go through `run`. */
export function kyselyOverSqlite(database: DatabaseSync, run: Run): Kysely<unknown> {
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new NodeSqliteAdapter(),
      createDriver: () => new NodeSqliteDriver(database, run),
      createIntrospector: (on) => new SqliteIntrospector(on),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  runStatementsBy(db, { run: async (query) => run(query).rows })
  return db
}
