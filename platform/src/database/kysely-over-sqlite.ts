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

import type { AnyDb } from './database.ts'
import { runStatementsBy } from './statement-runner.ts'

/** Statements are compiled once and kept; programs have a few hundred, so the oldest are dropped beyond this. */
const STATEMENTS_KEPT = 500

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.run(query)
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) {
      const rows = statement.all(...values) as R[]
      return { rows }
    }
    const { changes } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  // oxlint-disable-next-line require-yield -- nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite results are not streamed')
  }

  #prepare(sql: string): { statement: StatementSync; returnsRows: boolean } {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    this.#statements.set(sql, prepared)
    if (this.#statements.size > STATEMENTS_KEPT) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    return prepared
  }
}

class NodeSqliteDriver implements Driver {
  readonly #connection: NodeSqliteConnection
  readonly #database: DatabaseSync

  constructor(database: DatabaseSync, connection: NodeSqliteConnection) {
    this.#database = database
    this.#connection = connection
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
  // SQLite's DDL is transactional: a migration that fails leaves nothing behind.
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  // Every statement is over before the next can begin: nobody has to wait for the one connection.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Kysely over one `node:sqlite` connection, which the caller opens and closes. */
export function kyselyOverSqlite(database: DatabaseSync): AnyDb {
  const connection = new NodeSqliteConnection(database)
  const db: AnyDb = new Kysely({
    dialect: {
      createAdapter: () => new NodeSqliteAdapter(),
      createDriver: () => new NodeSqliteDriver(database, connection),
      createIntrospector: (on) => new SqliteIntrospector(on),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  runStatementsBy(db, { run: async (query) => connection.run(query).rows })
  return db
}
