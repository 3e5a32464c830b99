import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue, type StatementSync } from 'node:sqlite'

import type { ConnectSqlite } from '../database/sqlite.ts'

/** Called instead of each step of a connection; `run` executes the step and returns its result. */
export type Intercept = <T>(sql: string, run: () => T) => T

/** Opens connections that send every step through `intercept`: each `exec` and each run of a statement. */
export function interceptSqlite(intercept: Intercept): ConnectSqlite {
  class Intercepted extends DatabaseSync {
    override exec(sql: string): void {
      intercept(sql, () => {
        super.exec(sql)
      })
    }

    override prepare(sql: string): StatementSync {
      const statement = super.prepare(sql)
      const all = statement.all.bind(statement)
      const run = statement.run.bind(statement)
      return Object.assign(statement, {
        all: (...values: SQLInputValue[]) => intercept(sql, () => all(...values)),
        run: (...values: SQLInputValue[]) => intercept(sql, () => run(...values)),
      })
    }
  }
  return (path: string, options: DatabaseSyncOptions) => new Intercepted(path, options)
}

/** The error that SQLite throws for a result code. */
export function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
}
