import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Database } from '@marquee/platform/database/database'
import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'

import { makeTables } from '../../migrations/make-tables.ts'

/** Data need not survive a power failure, and a disk would take most of the time. */
const MEMORY = '/dev/shm'

/** Opens an empty database with all tables, another one each time. */
type Open = () => Promise<Database<unknown>>

/** Databases in a folder of their own. */
export async function emptySqlite(): Promise<{ open: Open; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'marquee-worlds-'))
  let opened = 0
  return {
    open: async () => {
      opened += 1
      const database = openSqlite(join(folder, `${opened}.db`))
      await makeTables(database)
      return database
    },
    remove: async () => {
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The empty databases of these URLs. */
export function emptyPostgres(urls: readonly string[]): Open {
  const left = [...urls]
  return async () => {
    const database = openPostgres(left.shift() ?? '', { onIdleError: () => undefined })
    await makeTables(database)
    return database
  }
}
