import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const BUSY_MS = 1_000

/**
 * Opens an embedded database so that nothing in it changes, also beside a running server. A read-only connection would
 * leave an empty log where there was none; a writing one removes it, but would take over the log of a killed server.
 */
export function connectToLook(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS, readOnly: existsSync(`${path}-wal`) })
  database.exec('pragma query_only = on')
  return database
}
