import { join } from 'node:path'

import { sql } from 'kysely'

import type { Logger } from '../runtime/logger.ts'
import { chainOf, reasonOf } from '../runtime/reason-of.ts'
import { StartRefusal } from '../runtime/start-refusal.ts'
import { withoutPassword } from '../runtime/without-password.ts'
import type { Database } from './database.ts'
import { openSqlite } from './sqlite.ts'

const OLDEST_POSTGRES = 15
/** How `pg` puts it that the server asks for a password and the address has none. */
const NO_PASSWORD = /^SASL: .*password must be a|^empty password returned by client/u
/** SQLite: malformed, and not a database at all. */
const SQLITE_DAMAGED = new Set([11, 26])

/**
 * PostgreSQL where a URL is set, otherwise the file `marquee.db` in the data directory.
 * @throws {StartRefusal} when PostgreSQL does not answer now or is too old, or the file is no database.
 */
export async function openDatabase(
  where: { url: string | undefined; dataDir: string },
  logger: Logger,
): Promise<Database<unknown>> {
  if (where.url === undefined) return openFile(join(where.dataDir, 'marquee.db'))
  return await reachPostgres(where.url, (error) => {
    logger.error({ err: error }, 'a pooled database connection failed')
  })
}

/** Opens PostgreSQL and asks it. @throws {StartRefusal} when it does not answer now, refuses, or is too old. */
export async function reachPostgres(url: string, onIdleError: (error: Error) => void): Promise<Database<unknown>> {
  // Loaded when it is needed: the embedded default starts sooner without.
  const { openPostgres } = await import('./postgres.ts')
  const database = openPostgres(url, { onIdleError })
  try {
    await requireNewEnough(database)
    await requirePreparedStatements(url)
    return database
  } catch (error) {
    await database.close()
    const reason = NO_PASSWORD.test(reasonOf(error)) ? 'it wants a password' : reasonOf(error)
    throw new StartRefusal(`The database at ${withoutPassword(url)} cannot be used: ${reason}.`, { cause: error })
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

function openFile(path: string): Database<unknown> {
  try {
    return openSqlite(path)
  } catch (error) {
    const isDamaged = chainOf(error).some(
      (cause) => 'errcode' in cause && typeof cause.errcode === 'number' && SQLITE_DAMAGED.has(cause.errcode & 0xff),
    )
    if (!isDamaged) throw error
    throw new StartRefusal(`${path} is no database, or is damaged: ${reasonOf(error)}. Restore a backup.`, {
      cause: error,
    })
  }
}
