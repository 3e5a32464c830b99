import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'

import { MINUTE_MS } from '../runtime/durations.ts'
import { PreparingClient } from './preparing-client.ts'
import { arrival, Sent } from './sent.ts'
import { type Runner, runStatementsBy } from './statement-runner.ts'

const RETRYABLE = new Set<string | undefined>(['40001', '40P01'])
const TRANSACTION_ABORTED = '25P02'
const ATTEMPTS = 5
/** The longest pause before the second attempt. It doubles with each further attempt. */
const FIRST_PAUSE_MS = 20
/** The server cancels a statement shortly before the client gives up the connection, so that the connection survives. */
export const STATEMENT_SHARE = 0.9
/** For the few statements whose work grows with the data. */
const LONG_MS = MINUTE_MS

/** The work of a transaction, as `Database.transaction` takes it. */
export type Work<T> = (trx: Kysely<unknown>) => Promise<T | Sent<T>>

/** Runs `work` in a transaction of its own. A conflict with another is retried a few times before it becomes an error. */
export async function runAlone<T>(pool: pg.Pool, work: Work<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt(await pool.connect(), work)
    } catch (error) {
      if (count === ATTEMPTS || !isConflict(error)) throw error
      // A random pause, so that transactions that conflicted do not conflict again.
      await pause(randomInt(1, FIRST_PAUSE_MS * 2 ** (count - 1) + 1))
    }
  }
}

/** One attempt at a transaction: begins, works and commits on `client`, and returns it to the pool. */
async function attempt<T>(client: pg.PoolClient, work: Work<T>): Promise<T> {
  let broken: unknown
  const { query, end, firstFailure } = lend(client)
  try {
    // Not awaited: the first statement is sent right after it.
    const begun = client.query('begin')
    const trx = kyselyOver(query, {
      takeTime: async () => {
        if (client instanceof PreparingClient) client.waitAtMost(LONG_MS)
        await query(`set local statement_timeout = ${LONG_MS * STATEMENT_SHARE}`)
        // A connection keeps its plans for foreign keys. A plan from when a table was small reads the whole table for each
        // row.
        await query('discard plans')
      },
    })
    const [result] = await Promise.all([resultOf(work, trx), begun])
    end()
    const [{ command }, value] = await Promise.all([client.query('commit'), arrival(result)])
    if (command !== 'COMMIT') throw new Error('A statement failed, and the work went on')
    return value
  } catch (error) {
    end()
    await client.query('rollback').catch((fault: unknown) => void (broken = fault))
    // Statements sent after the failed one report only that the transaction is aborted, and may report it first.
    throw codeOf(error) === TRANSACTION_ABORTED ? (firstFailure() ?? error) : error
  } finally {
    client.release(broken !== undefined)
  }
}

/** The result of `work`, once its last statement is sent, so that the commit may follow. */
export async function resultOf<T>(work: Work<T>, trx: Kysely<unknown>): Promise<T | Sent<T>> {
  const result = await work(trx)
  if (result instanceof Sent && !result.hasLeft) await result.value
  return result
}

type Lent = { query: pg.PoolClient['query']; end: () => void; firstFailure: () => unknown }

/** The queries of a connection until `end`. After that the connection may belong to another transaction. */
export function lend(client: pg.PoolClient): Lent {
  let isOver = false
  let failure: unknown
  return {
    query: (...given: unknown[]) => {
      if (isOver) throw new Error('This connection has been given back')
      const result = client.query(...(given as [string]))
      result.catch((error: unknown) => void (failure ??= error))
      return result as never
    },
    end: () => {
      isOver = true
    },
    firstFailure: () => failure,
  }
}

/** Kysely on one connection, which accepts statements while earlier ones are running. */
export function kyselyOver(query: pg.PoolClient['query'], runner: Omit<Runner, 'run'> = {}): Kysely<unknown> {
  const client = { query, release: () => undefined } as unknown as PostgresPoolClient
  const pool = { connect: async () => client, end: async () => undefined, options: {} }
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  runStatementsBy(db, {
    run: async ({ sql, parameters }) => (await query<object>(sql, [...parameters])).rows,
    ...runner,
  })
  return db
}

function isConflict(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error))
}

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
