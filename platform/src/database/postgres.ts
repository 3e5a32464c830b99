import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

import type { AnyDb, Database } from './database.ts'

const INT8_OID = 20
const RETRYABLE = new Set(['40001', '40P01'])
const ATTEMPTS = 5

/** Opens PostgreSQL 15 or later. Conflicts between transactions are retried a few times before they are an error. */
export function openPostgres(url: string, { onIdleError }: { onIdleError: (error: Error) => void }): Database<unknown> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    types: {
      // Counts and versions fit a double; rows then look the same on both databases.
      getTypeParser: (oid, format): ((value: string) => unknown) =>
        oid === INT8_OID && format !== 'binary'
          ? Number
          : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
    },
  })
  pool.on('error', onIdleError)
  // A connection that breaks between two statements of a transaction says so by an event, which unheard would end the
  // process; the next statement rejects, and the pool replaces the connection.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  const read: AnyDb = new Kysely({ dialect: new PostgresDialect({ pool }) })

  async function transaction<T>(work: (trx: AnyDb) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read.transaction().execute(work)
      } catch (error) {
        if (attempt === ATTEMPTS || !isConflict(error)) throw error
      }
    }
  }

  const database: Database<unknown> = {
    dialect: 'postgres',
    read,
    schema: read,
    transaction: transaction as Database<unknown>['transaction'],
    withTables: <Other>() => database as unknown as Database<Other>,
    close: async () => {
      await read.destroy()
    },
  }
  return database
}

function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && RETRYABLE.has(error.code)
}
