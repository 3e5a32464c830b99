import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { openPostgres } from '@marquee/platform/database/postgres'
import { underSchemaLock, underWriteLock } from '@marquee/platform/database/schema-lock'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { readServerSettings } from '../settings/settings.ts'
import { openTables } from './make-tables.ts'
import { MOVE_PROGRESS, MoveUnfinished } from './unfinished-move.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-move-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const namesOf = async ({ schema }: Database<unknown>) =>
  (await schema.introspection.getTables()).map(({ name }) => name)

test.each(['sqlite', 'postgres'] as const)(
  'a start that waits while a move begins on %s is refused and creates no table',
  async (dialect) => {
    const url = dialect === 'postgres' ? await freshPostgresUrl() : undefined
    const open = () => (url === undefined ? openSqlite(join(folder, 'marquee.db')) : openPostgres(url, { onIdleError }))
    const [move, server] = [open(), open()]
    const settings = readServerSettings({ DATA_DIR: folder, ...(url !== undefined && { DATABASE_URL: url }) })
    const lock = dialect === 'sqlite' ? underWriteLock : underSchemaLock
    let started: Promise<unknown> | undefined

    await lock(move, async (trx) => {
      started = openTables(server, settings, { print: () => undefined }).catch((error: unknown) => error)
      // On SQLite the start asks for the lock again and again.
      while (dialect === 'postgres' && !(await isAnyWaiting(move))) await pause(20)
      await trx.schema.createTable(MOVE_PROGRESS).addColumn('table_name', 'text').execute()
    })

    expect(await started).toBeInstanceOf(MoveUnfinished)
    expect(await namesOf(server)).toEqual([MOVE_PROGRESS])
    await Promise.all([move.close(), server.close()])
  },
)

const onIdleError = () => undefined

async function isAnyWaiting({ read }: Database<unknown>): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(read)
  return rows.length > 0
}
