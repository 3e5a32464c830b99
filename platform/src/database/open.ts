import { join } from 'node:path'

import { sql } from 'kysely'

import { MINUTE_MS } from '../runtime/durations.ts'
import type { Logger } from '../runtime/logger.ts'
import { isDamage } from '../runtime/outage.ts'
import { reasonOf } from '../runtime/reason-of.ts'
import { Refusal } from '../runtime/refusal.ts'
import { withoutPassword } from '../runtime/without-password.ts'
import type { Database } from './database.ts'
import type { PostgresOptions } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

const OLDEST_POSTGRES = 15
/** The message of `pg` if the server requires a password and the URL has none. */
const NO_PASSWORD = /^SASL: .*password must be a|^empty password returned by client/u
/** Commands of an operator may take long, such as counting all rows; no request waits for them. */
export const OPERATOR_SILENCE_MS = 15 * MINUTE_MS

/**
 * Opens PostgreSQL if a URL is set, otherwise the file `marquee.db` in the data directory.
 * @throws {Refusal} if PostgreSQL does not answer or is too old, or the file is not a database.
 */
export async function openDatabase(
  { url, dataDir, silenceMs }: { url: string | undefined; dataDir: string; silenceMs?: number },
  logger: Logger,
): Promise<Database<unknown>> {
  const onDamage = (error: unknown): void => {
    logger.error({ reason: reasonOf(error) }, 'The database is damaged. Stop the server and restore a backup.')
  }
  if (url === undefined) return openFile(join(dataDir, 'marquee.db'), onDamage)
  const onIdleError = (error: Error): void => {
    logger.error({ err: error }, 'a pooled database connection failed')
  }
  return await reachPostgres(url, { onIdleError, onDamage, ...(silenceMs !== undefined && { silenceMs }) })
}

/** Opens PostgreSQL and checks it. @throws {Refusal} if it does not answer, rejects the login, or is too old. */
export async function reachPostgres(url: string, options: PostgresOptions): Promise<Database<unknown>> {
  // Loaded only if it is used, so that a server with SQLite starts faster.
  const { openPostgres } = await import('./postgres.ts')
  const database = openPostgres(url, options)
  try {
    await requireNewEnough(database)
    await requirePreparedStatements(url)
    return database
  } catch (error) {
    await database.close()
    const reason = NO_PASSWORD.test(reasonOf(error)) ? 'it wants a password' : reasonOf(error)
    throw new Refusal(`The database at ${withoutPassword(url)} cannot be used: ${reason}.`, { cause: error })
  }
}

async function requireNewEnough(database: Database<unknown>): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int / 10000 as version`.execute(database.read)
  const version = rows[0]?.version ?? 0
  if (version < OLDEST_POSTGRES) {
    throw new Error(`it is PostgreSQL ${version}, and ${OLDEST_POSTGRES} or later is needed`)
  }
}

async function requirePreparedStatements(url: string): Promise<void> {
  const [{ connectionsTo }, { keepsPreparedStatements }] = await Promise.all([
    import('./postgres-hosts.ts'),
    import('./pooler.ts'),
  ])
  const { Client, connectionString } = connectionsTo(url)
  if (await keepsPreparedStatements(() => new Client({ connectionString, connectionTimeoutMillis: 5_000 }))) return
  throw new Error(
    'a connection pooler in front of it forgets prepared statements. PgBouncer in transaction mode has to be version ' +
      '1.21 or later, with max_prepared_statements above 0',
  )
}

function openFile(path: string, onDamage: (error: unknown) => void): Database<unknown> {
  try {
    return openSqlite(path, { onDamage })
  } catch (error) {
    if (!isDamage(error)) throw error
    throw new Refusal(`${path} is not a database, or is damaged: ${reasonOf(error)}. Restore a backup.`, {
      cause: error,
    })
  }
}
