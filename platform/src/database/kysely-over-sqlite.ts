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

export type Run = <R>(query: Pick<CompiledQuery, 'sql' | 'parameters'>) => QueryResult<R>

type PreparedStatement = { readonly statement: StatementSync; columns: readonly string[] }

/**
 * The rows of a statement. `node:sqlite` would put each object among the long-lived ones, where it stays until a large
 * garbage collection. Arrays, and objects that are made here, are freed as soon as they are no longer used.
 */
function readRows(prepared: PreparedStatement, values: readonly SQLInputValue[]): object[] {
  const arrays = prepared.statement.all(...values) as unknown as unknown[][]
  // SQLite prepares a statement with `*` again when its table gets a column.
  if (arrays[0] && arrays[0].length !== prepared.columns.length) prepared.columns = columnsOf(prepared.statement)
  const { columns } = prepared
  return arrays.map((array) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = array[index]
    return row
  })
}

function columnsOf(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => name)
}

/**
 * SQLite looks at the bound values of LIMIT and LIKE while it plans, and so plans such a statement again in each run, which
 * often takes longer than the rest. It does not look at a value that it has to compute.
 */
function withComputedValues(sql: string): string {
  return sql.replaceAll(/\blimit \?/gu, 'limit cast(? as integer)').replaceAll(/\blike \?/gu, 'like cast(? as text)')
}

/**
 * Runs statements on a `node:sqlite` connection, which the caller opens and closes, and keeps them prepared. Errors go to
 * `onError` before they are thrown.
 */
export function sqliteRunner(database: DatabaseSync, onError: (error: unknown) => void): Run {
  const statements = new Map<string, PreparedStatement>()

  function prepare(sql: string): PreparedStatement {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(withComputedValues(sql))
    statement.setReturnArrays(true)
    const prepared = { statement, columns: columnsOf(statement) }
    statements.set(sql, prepared)
    if (statements.size > STATEMENTS_KEPT) {
      const [oldest] = statements.keys()
      if (oldest !== undefined) statements.delete(oldest)
    }
    return prepared
  }

  return <R>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    const values = parameters as SQLInputValue[]
    try {
      const prepared = prepare(sql)
      const { statement } = prepared
      if (prepared.columns.length > 0) return { rows: readRows(prepared, values) as R[] }
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

/** Shared, because each transaction has a Kysely of its own, and a compiler is large. It compiles a query in one turn. */
const COMPILER = new SqliteQueryCompiler()
const ADAPTER = new NodeSqliteAdapter()

/** Kysely on a connection whose statements go through `run`. */
export function kyselyOverSqlite(database: DatabaseSync, run: Run): Kysely<unknown> {
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => ADAPTER,
      createDriver: () => new NodeSqliteDriver(database, run),
      createIntrospector: (on) => new SqliteIntrospector(on),
      createQueryCompiler: () => COMPILER,
    },
  })
  runStatementsBy(db, { run: async (query) => run(query).rows })
  return db
}
