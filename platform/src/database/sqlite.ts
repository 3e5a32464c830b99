import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import type { AnyDb, Database } from './database.ts'
import { kyselyOverSqlite } from './kysely-over-sqlite.ts'

/** How long to wait for another process that has the file. */
const BUSY_MS = 5_000
const MOST_TURNS = 16

type Job = {
  work: (trx: AnyDb) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (reason: unknown) => void
}

/**
 * Opens the embedded database: one connection that writes and one that reads, so that a read never waits for a
 * transaction and never sees half of one.
 *
 * Writes are group-committed: those asked for during a few turns of the event loop share one transaction, each behind
 * its own savepoint, and each is answered after the commit that made it durable. A failed one undoes only itself.
 */
export function openSqlite(path: string): Database<unknown> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const writer = openConnection(path)
  writer.exec('pragma journal_mode = wal')
  const reader = openConnection(path)
  const read = kyselyOverSqlite(reader)
  const write = kyselyOverSqlite(writer)
  const queue: Job[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await gather(queue)
      await runBatch(writer, write, queue.splice(0))
    }
    draining = undefined
  }

  async function transaction<T>(work: (trx: AnyDb) => Promise<T>): Promise<T> {
    return await new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
      draining ??= drain()
    })
  }

  const database: Database<unknown> = {
    dialect: 'sqlite',
    read,
    schema: write,
    transaction: transaction as Database<unknown>['transaction'],
    // One to write and one to read, which answers at once.
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

/** Lets others join the batch, turn by turn, as long as each brings some: a commit takes longer than many turns. */
async function gather(queue: readonly Job[]): Promise<void> {
  for (let [turn, seen] = [0, 0]; queue.length > seen && turn < MOST_TURNS; turn += 1) {
    seen = queue.length
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

function openConnection(path: string): DatabaseSync {
  // From its first look at the file on: another process may be opening it too.
  const connection = new DatabaseSync(path, { timeout: BUSY_MS })
  connection.exec('pragma synchronous = full; pragma foreign_keys = on')
  return connection
}

async function runBatch(connection: DatabaseSync, db: AnyDb, jobs: Job[]): Promise<void> {
  try {
    connection.exec('begin immediate')
  } catch (error) {
    for (const job of jobs) job.reject(error)
    return
  }
  const finished: { job: Job; value: unknown }[] = []
  for (const job of jobs) {
    connection.exec('savepoint job')
    try {
      const value = await job.work(db)
      connection.exec('release job')
      finished.push({ job, value })
    } catch (error) {
      job.reject(error)
      // A full disk or an I/O error makes SQLite undo the whole transaction by itself.
      if (!connection.isTransaction) return lose(finished, jobs.slice(jobs.indexOf(job) + 1), error)
      connection.exec('rollback to job; release job')
    }
  }
  try {
    connection.exec('commit')
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback')
    return lose(finished, [], error)
  }
  for (const { job, value } of finished) job.resolve(value)
}

function lose(finished: { job: Job }[], waiting: Job[], reason: unknown): void {
  for (const job of [...finished.map((done) => done.job), ...waiting]) job.reject(reason)
}
