import type { CompiledQuery } from 'kysely'

import type { AnyDb } from './database.ts'

/** Sends a statement before it returns, and gives its rows. */
export type RunStatement = (query: CompiledQuery) => Promise<readonly unknown[]>

export type Runner = {
  readonly run: RunStatement
  readonly takeTime?: () => Promise<void>
  readonly onOneConnection?: <T>(work: (db: AnyDb) => Promise<T>) => Promise<T>
}

const runners = new WeakMap<AnyDb, Runner>()

/** Prepared statements go to `run`: the way through Kysely takes longer than the statement does in SQLite. */
export function runStatementsBy(db: AnyDb, runner: Runner): void {
  runners.set(db, runner)
}

/** Undefined for a database with plug-ins, which see each statement. */
export function runnerOf(db: AnyDb): RunStatement | undefined {
  return runners.get(db)?.run
}

/** Allows the next statements of this transaction a minute each, because their work grows with the data. */
export async function takeTime(trx: AnyDb): Promise<void> {
  await runners.get(trx)?.takeTime?.()
}

/**
 * Waits for statements that were asked for in one turn, and so leave in one message. If some fail, it throws the error of
 * the first one in the order given, once all have ended: none is left behind in a transaction that is over.
 */
export async function together<T extends readonly Promise<unknown>[]>(
  ...asked: T
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(asked)
  return await Promise.all(asked)
}

/**
 * Lends one connection, so that prepared statements outside a transaction can be asked for `together`: each runs after the
 * one before, and sees nothing older.
 */
export async function askTogether<T>(db: AnyDb, work: (db: AnyDb) => Promise<T>): Promise<T> {
  const run = runners.get(db)?.onOneConnection
  return await (run ? run(work) : work(db))
}
