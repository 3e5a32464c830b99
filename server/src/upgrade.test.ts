import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Database } from '@marquee/platform/database/database'
import { migrateAll, type Migrations } from '@marquee/platform/database/migrate'
import { openPostgres } from '@marquee/platform/database/postgres'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { TRIES_ALL } from '@marquee/platform/testing/each-database'
import { copyPostgres, freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { MIGRATIONS } from './migrations/make-tables.ts'
import { PUBLISHED } from './testing/published-migrations.ts'
import { addSampleRows, describeTables, readSampleRows, type SampleTable } from './testing/sample-rows.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-upgrade-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const ROOT = join(import.meta.dirname, '../..')
/** Where each migration has a file of its own. */
const FOLDERS: Readonly<Record<string, string>> = {
  identity: 'identity/src/migrations',
  product: 'server/src/migrations',
}

function hashOfFile(path: string): string | undefined {
  const file = join(ROOT, path)
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16) : undefined
}

/** Whether this migration is the one that was published, and whose upgrade was tested then. */
function isPublished(set: string, name: string): boolean {
  const path = `${FOLDERS[set]}/${name.replaceAll('_', '-')}.ts`
  return path in PUBLISHED && hashOfFile(path) === PUBLISHED[path]
}

/** Every earlier schema: one part stops after one of its migrations, the others are complete. `next` has one migration more. */
const EARLIER = Object.entries(MIGRATIONS).flatMap(([set, migrations]) => {
  const names = Object.keys(migrations).toSorted()
  const schemaUpTo = (end: number): Record<string, Migrations> => ({
    ...MIGRATIONS,
    [set]: Object.fromEntries(Object.entries(migrations).filter(([name]) => names.indexOf(name) <= end)),
  })
  return names.slice(0, -1).map((last, index) => ({
    set,
    last,
    schema: schemaUpTo(index),
    next: schemaUpTo(index + 1),
    isTested: TRIES_ALL || !isPublished(set, names[index + 1] ?? ''),
  }))
})

type Earlier = Pick<(typeof EARLIER)[number], 'set' | 'last' | 'schema'>

/** The first schema of each part. */
const FIRST = EARLIER.filter(({ set }, index) => EARLIER[index - 1]?.set !== set)
const STEPS = EARLIER.filter(({ isTested }) => isTested)

/** The file of an empty database with each earlier schema, which tests copy. It is made of the schema of the step before. */
const empty = new Map<string, Promise<string>>()

async function emptyFile({ set, last, schema }: Earlier): Promise<string> {
  const name = `${set}-${last}`
  const made = empty.get(name) ?? makeEmptyFile({ set, last, schema })
  empty.set(name, made)
  return await made
}

async function makeEmptyFile({ set, last, schema }: Earlier): Promise<string> {
  const file = join(folder, `empty-${set}-${last}.db`)
  const earlier = STEPS[STEPS.findIndex((one) => one.set === set && one.last === last) - 1]
  if (earlier?.set === set) await copyFile(await emptyFile(earlier), file)
  const database = await openFile(file)
  await migrateAll(database, schema)
  await database.close()
  return file
}

async function openFile(file: string): Promise<Database<unknown>> {
  const database = openSqlite(file)
  // These files need not survive a power failure.
  await sql`pragma synchronous = off`.execute(database.schema)
  return database
}

const postgres = (url: string) => openPostgres(url, { onIdleError: () => undefined })

/** An empty PostgreSQL database for each part. It is upgraded to one earlier schema after the other, and tests copy it. */
const growing = new Map<string, string>()

/** Opens a database of its own with an earlier schema. */
const OPEN = {
  sqlite: async (earlier: Earlier) => {
    const file = join(folder, `${earlier.set}-${earlier.last}.db`)
    await copyFile(await emptyFile(earlier), file)
    return await openFile(file)
  },
  postgres: async ({ set, schema }: Earlier) => {
    const url = growing.get(set) ?? (await freshPostgresUrl())
    growing.set(set, url)
    const database = postgres(url)
    await migrateAll(database, schema)
    await database.close()
    return postgres(await copyPostgres(url))
  },
}

async function tablesOf(earlier: Earlier): Promise<SampleTable[]> {
  const database = openSqlite(await emptyFile(earlier))
  const tables = await describeTables(database)
  await database.close()
  return tables
}

/** Without the table that triggers make of cards: its own migrations test it. */
const withoutWords = ({ card_words: _words, ...tables }: Awaited<ReturnType<typeof readSampleRows>>) => tables

test('a published migration never changes', () => {
  const hashes = Object.fromEntries(Object.keys(PUBLISHED).map((path) => [path, hashOfFile(path)]))

  expect(hashes).toEqual(PUBLISHED)
})

// Step by step, and all the way from the first. Steps by published migrations once a week. From each schema to today, most migrations would run a hundred times.
describe.each([
  ...FIRST.map((earlier) => ({ ...earlier, to: 'today', newer: MIGRATIONS })),
  ...STEPS.map(({ next, ...earlier }) => ({ ...earlier, to: 'the next one', newer: next })),
])('an upgrade from $set $last to $to', ({ newer, ...earlier }) => {
  test.each(['sqlite', 'postgres'] as const)(
    'the upgrade keeps every row unchanged on %s, and still accepts rows of the earlier version',
    async (dialect) => {
      const tables = await tablesOf(earlier)
      const database = await OPEN[dialect](earlier)
      await addSampleRows(database, tables)
      const before = await readSampleRows(database, tables)

      await migrateAll(database, newer)
      const after = await readSampleRows(database, tables)
      // Only with the columns of the earlier schema, as a process of that version writes them.
      await addSampleRows(database, tables, 1)
      const further = await readSampleRows(database, tables)
      await database.close()

      expect(Object.keys(before).length).toBeGreaterThan(5)
      expect(withoutWords(after)).toEqual(withoutWords(before))
      // A trigger adds further rows to a table that is made of another one.
      expect(Object.values(further).every((some) => some.length >= 6)).toBe(true)
    },
  )
})
