import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

import type { Kysely } from 'kysely'

import { Outage, watchForDamage } from '../runtime/outage.ts'
import { reasonOf } from '../runtime/reason-of.ts'
import type { Database } from './database.ts'
import { arrival, type Sent } from './sent.ts'
import { kyselyOverSqlite, type Run, sqliteRunner } from './kysely-over-sqlite.ts'

/** No other work runs while the file is opened, so SQLite itself may wait for another process. */
const OPENING_MS = 5_000
/** After that, waiting inside SQLite would block the process, so a locked file is retried from the event loop. */
const BUSY_MS = 5
const RETRY_MS = 25
const LOCKED_MS = 5_000
const SQLITE_BUSY = 5
const MOST_TURNS = 16

type Job = {
  work: (trx: Kysely<unknown>) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (reason: unknown) => void
  giveUpAt: number
}

/** Opens one connection. */
export type ConnectSqlite = (path: string, options: DatabaseSyncOptions) => DatabaseSync

type SqliteOptions = {
  /** Called once, when a statement finds the database damaged. */
  onDamage?: (error: unknown) => void
  /** How long a write waits while another process has the file. */
  lockedMs?: number
  connect?: ConnectSqlite
}

/**
 * Opens the embedded database with one connection for writing and one for reading, so that a read never waits for a
 * transaction and never sees uncommitted rows.
 *
 * Writes are group-committed: those of a few turns of the event loop share one transaction, each behind
 * its own savepoint. A failed one is rolled back alone. Successes and failures are both reported after the commit, since
 * both may depend on rows of that commit.
 */
export function openSqlite(
  path: string,
  { onDamage, lockedMs = LOCKED_MS, connect = (...given) => new DatabaseSync(...given) }: SqliteOptions = {},
): Database<unknown> {
  const { writer, reader } = connectTwice(path, connect)
  const damage = watchForDamage(onDamage)
  const read = kyselyOverSqlite(reader, sqliteRunner(reader, damage.lookAt))
  const run = sqliteRunner(writer, damage.lookAt)
  const runBatch = batchRunner(writer, { run, onError: damage.lookAt })
  const queue: Job[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await gather(queue)
      if (await begin()) await runBatch(queue.splice(0))
    }
    draining = undefined
  }

  /** Begins a transaction; false if no job is waiting any more. */
  async function begin(): Promise<boolean> {
    while (queue.length > 0) {
      try {
        rollBack(writer)
        writer.exec('begin immediate')
        return true
      } catch (error) {
        damage.lookAt(error)
        const now = isBusy(error) ? performance.now() : Infinity
        while (queue[0] && queue[0].giveUpAt <= now) queue.shift()?.reject(error)
        if (queue.length > 0) await pause(RETRY_MS)
      }
    }
    return false
  }

  async function transaction<T>(work: (trx: Kysely<unknown>) => Promise<T | Sent<T>>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      const giveUpAt = performance.now() + lockedMs
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject, giveUpAt })
      draining ??= drain()
    })
  }

  const database: Database<unknown> = {
    dialect: 'sqlite',
    read,
    schema: kyselyOverSqlite(writer, run),
    transaction,
    isDamaged: damage.isFound,
    // The reading connection answers at once.
    load: () => ({ open: 2, inUse: draining === undefined ? 0 : 1, waiting: queue.length }),
    withTables: <Other>() => database as unknown as Database<Other>,
    close: async () => {
      await draining
      reader.close()
      writer.close()
    },
  }
  return database
}

function connectTwice(path: string, connect: ConnectSqlite): { writer: DatabaseSync; reader: DatabaseSync } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const writer = connect(path, { timeout: OPENING_MS })
  writer.exec('pragma journal_mode = wal')
  const reader = connect(path, { timeout: OPENING_MS })
  for (const connection of [writer, reader]) {
    connection.exec(`pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = ${BUSY_MS}`)
  }
  return { writer, reader }
}

/** Whether another connection has locked the file. */
export function isBusy(error: unknown): boolean {
  // The upper bits are the reason.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}

function rollBack(connection: DatabaseSync): void {
  if (connection.isTransaction) connection.exec('rollback')
}

/** Lets more jobs join the batch while each turn brings some, because a commit takes longer than many turns. */
async function gather(queue: readonly Job[]): Promise<void> {
  for (let [turn, seen] = [0, 0]; queue.length > seen && turn < MOST_TURNS; turn += 1) {
    seen = queue.length
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

/** The connection until `end`, which throws if a statement failed and the job continued all the same. */
function lend(connection: DatabaseSync, run: Run): { db: Kysely<unknown>; end: () => void } {
  let isOver = false
  let failure: unknown
  const db = kyselyOverSqlite(connection, (query) => {
    if (isOver) throw new Error('This connection has been given back')
    try {
      return run(query)
    } catch (error) {
      // A later statement of the same turn must not run outside the transaction.
      if (!connection.isTransaction) isOver = true
      failure ??= error
      throw error
    }
  })
  return {
    db,
    end: () => {
      isOver = true
      if (failure !== undefined) throw new Error('A statement failed, and the work went on', { cause: failure })
    },
  }
}

/** Runs the jobs of a transaction, commits it, and then settles each job. */
function batchRunner(
  connection: DatabaseSync,
  { run, onError }: { run: Run; onError: (error: unknown) => void },
): (jobs: readonly Job[]) => Promise<void> {
  /** Returns the function that settles the job after the commit. @throws if the transaction of the batch is gone. */
  async function runJob({ work, resolve, reject }: Job): Promise<() => void> {
    const { db, end } = lend(connection, run)
    connection.exec('savepoint job')
    try {
      const value = await arrival(await work(db))
      end()
      connection.exec('release job')
      return () => {
        resolve(value)
      }
    } catch (error) {
      // SQLite itself rolls back the whole transaction on a full disk or an I/O error.
      if (!connection.isTransaction) throw error
      connection.exec('rollback to job; release job')
      return () => {
        reject(error)
      }
    }
  }

  return async (jobs) => {
    const settlers: (() => void)[] = []
    try {
      for (const job of jobs) settlers.push(await runJob(job))
      connection.exec('commit')
    } catch (error) {
      onError(error)
      const outage = new Outage(`The changes could not be committed: ${reasonOf(error)}`, { of: 'disk', cause: error })
      for (const job of jobs) job.reject(outage)
      try {
        rollBack(connection)
      } catch {
        // The next batch retries before it begins.
      }
      return
    }
    for (const settle of settlers) settle()
  }
}
