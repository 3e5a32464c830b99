import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { migrateAll, type Migrations } from '@marquee/platform/database/migrate'
import { openPostgres } from '@marquee/platform/database/postgres'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { MIGRATIONS } from './migrations/make-tables.ts'

let database: Database<unknown>
beforeAll(async () => {
  database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined })
})
afterAll(async () => {
  await database.close()
})

class RolledBack extends Error {}

async function namesOf(trx: Kysely<unknown>, kind: 'r' | 'i'): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = ${kind} and relnamespace = current_schema()::regnamespace order by 1`.execute(trx)
  return rows.map(({ name }) => name)
}

/** What `up` does to tables that exist before it, as the locks of its transaction show. */
async function effectsOf(up: (db: Kysely<unknown>) => Promise<void>) {
  let effects: { locked: string[]; indexed: string[] } | undefined
  const attempt = database.schema.transaction().execute(async (trx) => {
    const tables = await namesOf(trx, 'r')
    const indexes = await namesOf(trx, 'i')
    await up(trx)
    const locks = await sql<{
      name: string
    }>`select distinct relname as name from pg_locks join pg_class on oid = relation
      where pid = pg_backend_pid() and mode not in ('AccessShareLock', 'RowShareLock')
        and relname = any(${tables}::text[]) order by 1`.execute(trx)
    const added = await sql<{ name: string }>`select index.relname as name from pg_index
      join pg_class as index on index.oid = indexrelid join pg_class as indexed on indexed.oid = indrelid
      where indexed.relname = any(${tables}::text[]) and index.relname <> all(${indexes}::text[]) order by 1`.execute(
      trx,
    )
    effects = { locked: locks.rows.map(({ name }) => name), indexed: added.rows.map(({ name }) => name) }
    throw new RolledBack()
  })
  await expect(attempt).rejects.toThrow(RolledBack)
  return effects
}

test('each migration names the tables that it changes, and creates no index on them in its transaction', async () => {
  const done: Record<string, Migrations> = {}
  const wrong: unknown[] = []
  for (const [set, migrations] of Object.entries(MIGRATIONS)) {
    for (const name of Object.keys(migrations).toSorted()) {
      const migration = migrations[name]
      if (migration === undefined) continue
      const effects = await effectsOf(migration.up)
      const expected = { locked: [...(migration.changes ?? [])].toSorted(), indexed: [] }
      if (JSON.stringify(effects) !== JSON.stringify(expected)) wrong.push({ set, name, effects, expected })
      done[set] = { ...done[set], [name]: migration }
      await migrateAll(database, done)
    }
  }

  expect(wrong).toEqual([])
  expect(Object.keys(done['product'] ?? {}).length).toBeGreaterThan(30)
})
