import type { CompiledQuery } from 'kysely'

import type { AnyDb } from './database.ts'

/** Sends a statement before it returns, and resolves to its rows. */
export type RunStatement = (query: CompiledQuery) => Promise<readonly unknown[]>

/** Runs `work` with a connection that it may use until it ends. */
export type OnConnection = <T>(work: (db: AnyDb) => Promise<T>) => Promise<T>

export type Runner = {
  readonly run: RunStatement
  readonly takeTime?: () => Promise<void>
  readonly onOneConnection?: OnConnection
  readonly onSharedConnection?: OnConnection
}

const runners = new WeakMap<AnyDb, Runner>()

/** Runs prepared statements directly: on SQLite, Kysely's own path takes longer than the statement. */
export function runStatementsBy(db: AnyDb, runner: Runner): void {
  runners.set(db, runner)
}

/** Undefined for a database with plug-ins, which must see each statement. */
export function runnerOf(db: AnyDb): RunStatement | undefined {
  return runners.get(db)?.run
}

/** Allows each further statement of this transaction one minute and a plan of its own, because its work grows with the data. */
export async function takeTime(trx: AnyDb): Promise<void> {
  await runners.get(trx)?.takeTime?.()
}

/**
 * Waits for statements that were sent in one turn, and so in one message. If some fail, it throws the error of the first
 * one in the given order, once all have settled, so that none still runs after the transaction.
 */
export async function together<T extends readonly Promise<unknown>[]>(
  ...asked: T
): Promise<{ -readonly [Place in keyof T]: Awaited<T[Place]> }> {
  await Promise.allSettled(asked)
  return await Promise.all(asked)
}

/**
 * Lends one connection, so that prepared statements outside a transaction can be sent `together`: each runs after the
 * previous one and sees data at least as new.
 */
export async function askTogether<T>(db: AnyDb, work: (db: AnyDb) => Promise<T>): Promise<T> {
  const run = runners.get(db)?.onOneConnection
  return await (run ? run(work) : work(db))
}

/**
 * Lends a connection that other requests use too: the statements of all leave in one message, and each waits for those
 * before it. So `work` only looks up a row by its key.
 */
export async function askWithOthers<T>(db: AnyDb, work: (db: AnyDb) => Promise<T>): Promise<T> {
  const run = runners.get(db)?.onSharedConnection
  return await (run ? run(work) : work(db))
}
