import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue, type StatementSync } from 'node:sqlite'

import type { ConnectSqlite } from '../database/sqlite.ts'

/** Is called in place of each step of a connection; `run` takes the step and gives its result. */
export type Intercept = <T>(sql: string, run: () => T) => T

/** Opens connections every step of which goes through `intercept`: what is executed and each run of a statement. */
export function interceptSqlite(intercept: Intercept): ConnectSqlite {
  class Intercepted extends DatabaseSync {
    override exec(sql: string): void {
      intercept(sql, () => {
        super.exec(sql)
      })
    }

    override prepare(sql: string): StatementSync {
      const statement = super.prepare(sql)
      return Object.assign(super.prepare(sql), {
        all: (...values: SQLInputValue[]) => intercept(sql, () => statement.all(...values)),
        run: (...values: SQLInputValue[]) => intercept(sql, () => statement.run(...values)),
      })
    }
  }
  return (path: string, options: DatabaseSyncOptions) => new Intercepted(path, options)
}

/** What SQLite throws, by its result code. */
export function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode })
}
