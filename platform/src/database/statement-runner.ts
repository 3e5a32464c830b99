import type { CompiledQuery } from 'kysely'

import type { AnyDb } from './database.ts'

/** Sends a statement before it returns, and resolves to its rows. */
export type RunStatement = (query: Pick<CompiledQuery, 'sql' | 'parameters'>) => Promise<readonly unknown[]>

/** Runs `work` with a connection that it may use until it ends. */
export type OnConnection = <T>(work: (db: AnyDb) => Promise<T>) => Promise<T>

export type Runner = {
  readonly run: RunStatement
  readonly takeTime?: () => Promise<void>
  readonly onOneConnection?: OnConnection
  readonly onSharedConnection?: OnConnection
}

const RUNNER = Symbol('runner')

type Executor = ReturnType<AnyDb['getExecutor']> & { [RUNNER]?: Runner }

/** Runs prepared statements directly: on SQLite, Kysely's own path takes longer than the statement. */
export function runStatementsBy(db: AnyDb, runner: Runner): void {
  // Not in a WeakMap: each transaction has one, and each garbage collection would go through all that ended.
  const executor: Executor = db.getExecutor()
  executor[RUNNER] = runner
}

/** Undefined for a database with plug-ins, which has an executor of its own: they must see each statement. */
export function runnerOf(db: AnyDb): RunStatement | undefined {
  return found(db)?.run
}

function found(db: AnyDb): Runner | undefined {
  const executor: Executor = db.getExecutor()
  return executor[RUNNER]
}

/** Gives each further statement of this transaction one minute and a fresh plan, because its work grows with the data. */
export async function takeTime(trx: AnyDb): Promise<void> {
  await found(trx)?.takeTime?.()
}

/**
 * Waits for statements that were sent in one turn, and so in one message. If some fail, it throws the error of the first
 * one in the given order, once all have settled, so that none still runs after the transaction.
 */
export async function together<T extends readonly Promise<unknown>[]>(
  ...asked: T
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  try {
    return await Promise.all(asked)
  } catch {
    await Promise.allSettled(asked)
    return await Promise.all(asked)
  }
}

/**
 * Lends one connection, so that prepared statements outside a transaction can be sent `together`: each runs after the
 * previous one and sees data at least as new.
 */
export async function askTogether<T>(db: AnyDb, work: (db: AnyDb) => Promise<T>): Promise<T> {
  const run = found(db)?.onOneConnection
  return await (run ? run(work) : work(db))
}

/**
 * Lends a connection that other requests use too: the statements of all leave in one message, and each waits for those
 * before it. So `work` only looks up a row by its key.
 */
export async function askWithOthers<T>(db: AnyDb, work: (db: AnyDb) => Promise<T>): Promise<T> {
  const run = found(db)?.onSharedConnection
  return await (run ? run(work) : work(db))
}
