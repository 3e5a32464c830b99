import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { migrate } from '@marquee/platform/database/migrate'
import { openSqlite } from '@marquee/platform/database/sqlite'

import { aPool, POOL_TABLES, type RunningPool } from './a-pool.ts'

export type Installation = { pool: RunningPool; stop: () => Promise<void> }

/** A pool with a database of its own. */
export async function anotherInstallation(how: Parameters<typeof aPool>[1]): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-installation-'))
  const database = openSqlite(join(folder, 'other.db'))
  for (const [set, migrations] of Object.entries(POOL_TABLES)) await migrate(database, set, migrations)
  const pool = await aPool(database, how)
  return {
    pool,
    stop: async () => {
      await pool.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
