import type { CompiledQuery } from 'kysely'

import type { AnyDb } from './database.ts'

/** Begins a statement before it returns, and gives its rows. */
export type RunStatement = (query: CompiledQuery) => Promise<readonly unknown[]>

const runners = new WeakMap<AnyDb, RunStatement>()

/** Statements that are built already go to `run`: on their way through Kysely they would take longer than in SQLite. */
export function runStatementsBy(db: AnyDb, run: RunStatement): void {
  runners.set(db, run)
}

/** Undefined for a database whose plug-ins want to see each statement. */
export function runnerOf(db: AnyDb): RunStatement | undefined {
  return runners.get(db)
}
