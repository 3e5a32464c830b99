import type { CompiledQuery } from 'kysely'

import type { AnyDb } from './database.ts'

/** Begins a statement before it returns, and gives its rows. */
export type RunStatement = (query: CompiledQuery) => Promise<readonly unknown[]>

export type Runner = {
  readonly run: RunStatement
  /** Waits for a statement together with the commit, which fails if it does. */
  readonly finishWithCommit?: (statement: Promise<unknown>) => void
  readonly takeTime?: () => Promise<void>
  readonly onOneConnection?: <T>(work: (db: AnyDb) => Promise<T>) => Promise<T>
}

const runners = new WeakMap<AnyDb, Runner>()

/** Statements that are built already go to `run`: on their way through Kysely they would take longer than in SQLite. */
export function runStatementsBy(db: AnyDb, runner: Runner): void {
  runners.set(db, runner)
}

/** Undefined for a database whose plug-ins want to see each statement. */
export function runnerOf(db: AnyDb): RunStatement | undefined {
  return runners.get(db)?.run
}

/**
 * For the last statement of a transaction, made by `prepared`, whose rows nobody needs: where the database is elsewhere,
 * the commit is sent right behind it. If it fails, the transaction does.
 */
export async function finishWithCommit(trx: AnyDb, statement: Promise<unknown>): Promise<void> {
  const defer = runners.get(trx)?.finishWithCommit
  if (defer) defer(statement)
  else await statement
}

/** Lets the statements that follow in this transaction take a minute each, because their work grows with the data. */
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
 * For statements outside a transaction, made by `prepared`, that are asked for together: they leave in one message, and
 * each is run after the one before, so that it sees nothing older.
 */
export async function askTogether<T>(db: AnyDb, work: (db: AnyDb) => Promise<T>): Promise<T> {
  const run = runners.get(db)?.onOneConnection
  return await (run ? run(work) : work(db))
}
