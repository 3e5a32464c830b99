import { join } from 'node:path'

import type { Logger } from '../runtime/logger.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** PostgreSQL where a URL is set, otherwise the file `marquee.db` in the data directory. */
export function openDatabase(where: { url: string | undefined; dataDir: string }, logger: Logger): Database<unknown> {
  if (where.url === undefined) return openSqlite(join(where.dataDir, 'marquee.db'))
  return openPostgres(where.url, {
    onIdleError: (error) => {
      logger.error({ err: error }, 'a pooled database connection failed')
    },
  })
}
