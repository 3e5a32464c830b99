import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'

import type { Database } from '../database/database.ts'
import { type Migrations, migrate } from '../database/migrate.ts'
import { openPostgres } from '../database/postgres.ts'
import { openSqlite } from '../database/sqlite.ts'
import { hashOf, migratedPostgresUrl } from './postgres-server.ts'
import { hearStatements } from './listen-to-statements.ts'
import { chooseTests, type NeededTests } from './needed-tests.ts'
import { notingClient } from './statement-ledger.ts'

/** On a busy machine a statement may take much longer than users would wait. */
const PATIENCE_MS = 30_000

/** Set by `npm test -- --all`. */
export const TRIES_ALL = process.env['MARQUEE_VARIATIONS'] === 'all'

/** What `anyDatabase` is for suites that start a server process: the databases to start it on. */
export const ANY_ENGINE = TRIES_ALL ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const)

/**
 * Runs one suite on SQLite and on a real PostgreSQL, each with its own empty database that has the given tables. Call
 * `useDatabase` inside a test or hook.
 */
export function eachDatabase<Tables>(
  sets: Readonly<Record<string, Migrations>>,
  suite: (useDatabase: () => Database<Tables>) => void,
): void {
  for (const dialect of ['sqlite', 'postgres'] as const) onDatabase(dialect, sets, suite)
}

/**
 * The same, but on PostgreSQL only the tests that the tag `race` marks, and those with a statement that no earlier test of the suite
 * has sent there. With `npm test -- --all`, all of them (decision 95). Tests do not depend on those before them.
 */
export function eachStatement<Tables>(
  sets: Readonly<Record<string, Migrations>>,
  suite: (useDatabase: () => Database<Tables>) => void,
): void {
  const needed = TRIES_ALL ? undefined : chooseTests()
  for (const dialect of ['sqlite', 'postgres'] as const) onDatabase(dialect, sets, suite, needed)
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
  needed?: NeededTests,
): void {
  describe(`on ${dialect}`, () => {
    let folder: string
    let database: Database<unknown> | undefined

    if (needed && dialect === 'postgres') {
      beforeEach(({ task, skip }) => {
        skip(!needed.isNeeded(task), 'sends PostgreSQL nothing new')
      })
    } else if (needed) {
      afterEach(({ task }) => needed.endedOnSqlite(task))
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'marquee-test-'))
      if (dialect === 'sqlite') {
        const file = join(folder, 'test.db')
        await writeFile(file, await migratedFile(sets))
        const opened = await openFast(file)
        database = needed ? hearStatements(opened, needed.heardOnSqlite) : opened
      } else {
        const url = await migratedPostgresUrl(sets)
        database = openPostgres(url, {
          onIdleError: () => undefined,
          silenceMs: PATIENCE_MS,
          Client: notingClient((text) => needed?.heardOnPostgres(text)),
        })
      }
    })

    afterAll(async () => {
      if (dialect === 'sqlite' && database) await needed?.compareWith(database.schema)
      await database?.close()
      await rm(folder, { recursive: true, force: true })
    })

    suite(() => {
      if (!database) throw new Error('The database is there only while a test runs')
      return database.withTables<Tables>()
    })
  })
}
