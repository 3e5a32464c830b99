import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe } from 'vitest'

import type { Database } from '../database/database.ts'
import { type Migrations, migrate } from '../database/migrate.ts'
import { openPostgres } from '../database/postgres.ts'
import { openSqlite } from '../database/sqlite.ts'
import { hashOf, migratedPostgresUrl } from './postgres-server.ts'
import { NotingClient } from './statement-ledger.ts'

/** On a busy machine a statement may take much longer than users would wait. */
const PATIENCE_MS = 30_000

/** Set by `npm test -- --all`. */
const TRIES_ALL = process.env['MARQUEE_VARIATIONS'] === 'all'

/** What `anyDatabase` is for suites that start a server process: the databases to start it on. */
export const ANY_ENGINE = TRIES_ALL ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const)

/**
 * Runs one suite on SQLite and on a real PostgreSQL, each with its own empty database that has the given tables. Call
 * `useDatabase` inside a test or hook. For suites in which requests act at the same time, and for statements that no other
 * suite sends to both.
 */
export function eachDatabase<Tables>(
  sets: Readonly<Record<string, Migrations>>,
  suite: (useDatabase: () => Database<Tables>) => void,
): void {
  for (const dialect of ['sqlite', 'postgres'] as const) onDatabase(dialect, sets, suite)
}

/**
 * The same for rules that are the same on both: on PostgreSQL only with `npm test -- --all`. `npm test` still fails if one of
 * its statements did not run on PostgreSQL in another suite (decision 95).
 */
export function anyDatabase<Tables>(
  sets: Readonly<Record<string, Migrations>>,
  suite: (useDatabase: () => Database<Tables>) => void,
): void {
  if (TRIES_ALL) eachDatabase(sets, suite)
  else onDatabase('sqlite', sets, suite)
}

/** Empty SQLite files that have the tables, by their migrations. A suite copies one in place of running them all. */
const migratedFiles = new Map<string, Promise<Uint8Array>>()

async function migratedFile(sets: Readonly<Record<string, Migrations>>): Promise<Uint8Array> {
  const hash = hashOf(sets)
  const made = migratedFiles.get(hash) ?? makeMigratedFile(sets)
  migratedFiles.set(hash, made)
  return await made
}

async function makeMigratedFile(sets: Readonly<Record<string, Migrations>>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-test-'))
  try {
    const file = join(folder, 'empty.db')
    const database = await openFast(file)
    for (const [set, migrations] of Object.entries(sets)) await migrate(database, set, migrations)
    await database.close()
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** These files need not survive a power failure, and waiting for the disk would take half of a test's time. */
async function openFast(file: string): Promise<Database<unknown>> {
  const database = openSqlite(file)
  await sql`pragma synchronous = off`.execute(database.schema)
  return database
}

/** The same on one of them, for what no database can change. */
export function onDatabase<Tables>(
  dialect: 'sqlite' | 'postgres',
  sets: Readonly<Record<string, Migrations>>,
  suite: (useDatabase: () => Database<Tables>) => void,
): void {
  describe(`on ${dialect}`, () => {
    let folder: string
    let database: Database<unknown> | undefined

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'marquee-test-'))
      if (dialect === 'sqlite') {
        const file = join(folder, 'test.db')
        await writeFile(file, await migratedFile(sets))
        database = await openFast(file)
      } else {
        const url = await migratedPostgresUrl(sets)
        database = openPostgres(url, {
          onIdleError: () => undefined,
          silenceMs: PATIENCE_MS,
          Client: NotingClient,
        })
      }
    })

    afterAll(async () => {
      await database?.close()
      await rm(folder, { recursive: true, force: true })
    })

    suite(() => {
      if (!database) throw new Error('The database is there only while a test runs')
      return database.withTables<Tables>()
    })
  })
}
