import { setTimeout as pause } from 'node:timers/promises'

import { type Kysely, sql } from 'kysely'

import type { Database } from './database.ts'
import { isBusy } from './sqlite.ts'

/** Any number that no other program uses as an advisory lock in the same PostgreSQL database. */
const LOCK_ID = 7_216_834_501
/** Ten minutes in total: a large migration may take that long. */
const SQLITE_ATTEMPTS = 6_000
const SQLITE_PAUSE_MS = 100

/**
 * Runs `work` in a transaction that only one process runs at a time; the others wait. The lock is the write lock of the
 * file on SQLite, and an advisory lock that ends with the transaction on PostgreSQL.
 */
export async function underSchemaLock(
  database: Database<unknown>,
  work: (trx: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  if (database.dialect === 'postgres') {
    await database.schema.transaction().execute(async (trx) => {
      // Waiting for other processes and changing a large table may both take long.
      await sql`set local statement_timeout = 0`.execute(trx)
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_ID)})`.execute(trx)
      await work(trx)
    })
    return
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.schema.transaction().execute(work)
      return
    } catch (error) {
      if (attempt === SQLITE_ATTEMPTS || !isBusy(error)) throw error
      await pause(SQLITE_PAUSE_MS)
    }
  }
}
