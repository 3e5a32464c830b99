import { setTimeout as pause } from 'node:timers/promises'

import { type Kysely, sql } from 'kysely'

import type { Database } from './database.ts'
import { isBusy } from './sqlite.ts'

/** Any two numbers that no other program uses as advisory locks in the same PostgreSQL database. */
const UPGRADE_LOCK_ID = 7_216_834_503
const SCHEMA_LOCK_ID = 7_216_834_501
/** Ten minutes in total: a large migration may take that long. */
const SQLITE_ATTEMPTS = 6_000
const PAUSE_MS = 100

/** Runs `work` in a transaction on SQLite that only one process runs at a time; the others wait. */
export async function underWriteLock(
  database: Database<unknown>,
  work: (trx: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.schema.transaction().execute(work)
      return
    } catch (error) {
      if (attempt === SQLITE_ATTEMPTS || !isBusy(error)) throw error
      await pause(PAUSE_MS)
    }
  }
}

/**
 * Runs `work` while this process alone upgrades the PostgreSQL database; the others wait. They ask again and again: a
 * statement that waits for a lock has a snapshot, and an index that is created concurrently waits for older snapshots.
 */
export async function underUpgradeLock(database: Database<unknown>, work: () => Promise<void>): Promise<void> {
  while (!(await ifAlone(database, UPGRADE_LOCK_ID, work))) await pause(PAUSE_MS)
}

/**
 * Runs `work` on PostgreSQL unless another process has this lock; then it resolves to false at once. An open transaction
 * without a snapshot holds the lock, so that it ends with the process.
 */
export async function ifAlone(
  database: Database<unknown>,
  lockId: number,
  work: () => Promise<void>,
): Promise<boolean> {
  return await database.schema.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(lockId)}) as locked`.execute(trx)
    if (rows[0]?.locked !== true) return false
    await work()
    return true
  })
}

/**
 * Runs `work` in a transaction on PostgreSQL in which no other process creates or changes tables; the others wait. Processes
 * of versions without the upgrade lock have this one only.
 */
export async function underSchemaLock(
  database: Database<unknown>,
  work: (trx: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  await database.schema.transaction().execute(async (trx) => {
    // Waiting for other processes and changing a large table may both take long.
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK_ID)})`.execute(trx)
    await work(trx)
  })
}
