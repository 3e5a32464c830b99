import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { freshPostgresUrl } from '../testing/postgres-server.ts'
import type { Database } from './database.ts'
import { migrate, migrateAll, type Migrations } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

const PROCESS = join(import.meta.dirname, '../testing/migrate-process.ts')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-migrate-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const open = (where: string): Database<unknown> =>
  where.startsWith('postgres:') ? openPostgres(where, { onIdleError: () => undefined }) : openSqlite(where)

async function tablesOf(database: Database<unknown>): Promise<string[]> {
  const tables = await database.schema.introspection.getTables()
  return tables.map(({ name }) => name).toSorted()
}

const note: Migrations = {
  '0001_note': { up: async (db) => void (await sql`create table note (id integer primary key)`.execute(db)) },
}
const broken: Migrations = {
  ...note,
  '0002_tag': {
    up: async (db) => {
      await sql`create table tag (id integer primary key)`.execute(db)
      await sql`insert into note values (2)`.execute(db)
      throw new Error('the disk is full')
    },
  },
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  let count = 0
  const fresh = async (): Promise<string> => {
    count += 1
    return dialect === 'postgres' ? await freshPostgresUrl() : join(folder, `${count}.db`)
  }

  test('ten processes that start at once on an empty database migrate it once, and all start', async () => {
    const where = await fresh()
    const endings = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const child = spawn(process.execPath, [PROCESS, where], { stdio: ['ignore', 'ignore', 'pipe'] })
        let output = ''
        child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
        await once(child, 'close')
        return { code: child.exitCode, output }
      }),
    )
    const database = open(where)
    const { rows } = await sql`select n, count(*) as many from many group by n`.execute(database.read)
    await database.close()

    expect(endings).toEqual(Array.from({ length: 10 }, () => ({ code: 0, output: '' })))
    expect(rows).toEqual([{ n: 1, many: 20_000 }])
  })

  test('a failed migration changes no table and no row, and the error names the migration', async () => {
    const database = open(await fresh())
    await migrate(database, 'notes', note)
    const before = await tablesOf(database)

    await expect(migrateAll(database, { more: note, notes: broken })).rejects.toThrow('more')
    await expect(migrate(database, 'notes', broken)).rejects.toThrow(
      'The database could not be brought up to date: the disk is full (in notes 0002_tag). Nothing in it was changed. ' +
        'Remove the cause and start again, or go on with the version that ran before.',
    )
    const { rows } = await sql`select * from note`.execute(database.read)
    const after = await tablesOf(database)
    await migrate(database, 'notes', note)
    await database.close()

    expect(after).toEqual(before)
    expect(rows).toEqual([])
  })

  test('a database of a newer version is rejected with a message that says what to do', async () => {
    const database = open(await fresh())
    await migrate(database, 'notes', { ...note, '0002_later': { up: async () => undefined } })

    await expect(migrate(database, 'notes', note)).rejects.toThrow(
      /newer version of this program \(notes: 0002_later\)\. Start that version, or restore/u,
    )
    await database.close()
  })

  test('an upgrade prints each migration that fills rows, and its progress about every 50,000 rows', async () => {
    const database = open(await fresh())
    await migrate(database, 'notes', note)
    const filled: Migrations = {
      ...note,
      '0002_length': {
        up: async () => await Promise.resolve(),
        backfill: async (_db, place = '0') => {
          const next = Number(place) + 30_000
          return await Promise.resolve({ rows: 30_000, place: next < 120_000 ? String(next) : undefined })
        },
      },
      '0003_tag': { up: async (db) => void (await sql`create table tag (id integer primary key)`.execute(db)) },
    }
    const printed: string[] = []

    await migrateAll(database, { notes: filled }, { print: (text) => printed.push(text) })
    await database.close()

    expect(printed).toEqual([
      dialect === 'sqlite'
        ? 'Bringing the database up to date: notes 0002_length (1 of 2)'
        : 'Bringing the database up to date beside running requests: notes 0002_length',
      '  60000 rows',
      '  120000 rows',
    ])
  })

  test('beforeFirst runs only for an empty database, and no table is created if it fails', async () => {
    const database = open(await fresh())
    const beforeFirst = async () => await Promise.reject(new Error('the wrong database'))

    await expect(migrateAll(database, { notes: note }, { beforeFirst })).rejects.toThrow('the wrong database')
    expect(await tablesOf(database)).toEqual([])
    await migrateAll(database, { notes: note })
    await migrateAll(database, { notes: note, more: {} }, { beforeFirst })
    await database.close()
  })

  test('beforeChange runs only if existing tables change, and nothing changes if it fails', async () => {
    const database = open(await fresh())
    const calls: string[] = []
    const beforeChange = async () => {
      calls.push('called')
      throw new Error('no room for a backup')
    }
    await migrateAll(database, { notes: note }, { beforeChange })
    await migrateAll(database, { notes: note }, { beforeChange })
    const more: Migrations = {
      ...note,
      '0002_more': { up: async (db) => void (await sql`drop table note`.execute(db)) },
    }

    await expect(migrateAll(database, { notes: more }, { beforeChange })).rejects.toThrow('no room for a backup')
    expect(await tablesOf(database)).toContain('note')
    expect(calls).toEqual(['called'])
    await database.close()
  })
})
