import { sql } from 'kysely'

import type { AnyDb, Database } from './database.ts'

/** Any number that nothing else on the same PostgreSQL database takes as an advisory lock. */
const LOCK_ID = 7_216_834_501
/** Each attempt waits for five seconds by itself (`busy_timeout`); a large migration may take minutes. */
const SQLITE_ATTEMPTS = 120
const SQLITE_BUSY = 5

/**
 * Runs `work` in a transaction that no other process runs at the same time: those that come meanwhile wait. On SQLite
 * this is the write lock of the file, on PostgreSQL an advisory lock that ends with the transaction, however it ends.
 */
export async function underSchemaLock(database: Database<unknown>, work: (trx: AnyDb) => Promise<void>): Promise<void> {
  if (database.dialect === 'postgres') {
    await database.schema.transaction().execute(async (trx) => {
      // Waiting for the others and changing a large table may both take long.
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
    }
  }
}

function isBusy(error: unknown): boolean {
  // The upper bits say why it is busy.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY
}
