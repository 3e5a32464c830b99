import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { freshPostgresUrl } from '../testing/postgres-server.ts'
import { WITHIN } from '../testing/within.ts'
import type { Database } from './database.ts'
import { migrateAll, type Migrations } from './migrate.ts'
import { openPostgres } from './postgres.ts'

const POLL_MS = 20

let url: string
const opened: Database<unknown>[] = []
function open(): Database<unknown> {
  const database = openPostgres(url, { onIdleError: () => undefined })
  opened.push(database)
  return database
}
beforeEach(async () => {
  url = await freshPostgresUrl()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (database) => await database.close()))
})

const shelves: Migrations = {
  '0001_shelves': {
    up: async (db) => {
      await sql`create table shelf (id integer primary key, books integer not null default 0)`.execute(db)
      await sql`create table book (id integer primary key, shelf_id integer not null references shelf)`.execute(db)
      await sql`insert into shelf (id) values (1)`.execute(db)
    },
  },
}
/** Its statements lock the book before the shelf; requests lock the shelf first. */
const labels: Migrations = {
  ...shelves,
  '0002_labels': {
    changes: ['book', 'shelf'],
    up: async (db) => {
      await sql`alter table book add column label text`.execute(db)
      await sql`create table label (id integer primary key, shelf_id integer not null references shelf)`.execute(db)
    },
  },
}

/** The table for which a migration waits, and the tables that it has meanwhile. */
async function locksOfMigration(database: Database<unknown>): Promise<{ waitsFor: string[]; has: string[] }> {
  const { rows } = await sql<{
    name: string
    granted: boolean
  }>`select relation::regclass::text as name, granted from pg_locks
    where mode = 'AccessExclusiveLock' and relation in ('shelf'::regclass, 'book'::regclass)`.execute(database.read)
  const of = (isGranted: boolean) => rows.filter(({ granted }) => granted === isGranted).map(({ name }) => name)
  return { waitsFor: of(false), has: of(true) }
}

async function untilMigrationWaits(database: Database<unknown>) {
  for (;;) {
    const locks = await locksOfMigration(database)
    if (locks.waitsFor.length > 0) return locks
    await pause(POLL_MS)
  }
}

test('a migration locks a parent table before its child, so a request that holds the parent continues', async () => {
  const [requests, upgrade] = [open(), open()]
  await migrateAll(upgrade, { books: shelves })
  let migrated: Promise<void> | undefined
  let locks: unknown

  await requests.transaction(async (trx) => {
    await sql`update shelf set books = books + 1 where id = 1`.execute(trx)
    migrated = migrateAll(upgrade, { books: labels })
    locks = await untilMigrationWaits(requests)
    await sql`insert into book (id, shelf_id) values (1, 1)`.execute(trx)
  })
  await migrated

  const { rows } = await sql`select shelf.books, book.label from book join shelf on shelf.id = shelf_id`.execute(
    requests.read,
  )
  expect(locks).toEqual({ waitsFor: ['shelf'], has: [] })
  expect(rows).toEqual([{ books: 1, label: null }])
})

test('a migration that cannot lock a table gives way, so it does not block requests', async () => {
  const [long, requests, upgrade] = [open(), open(), open()]
  await migrateAll(upgrade, { books: shelves })
  let migrated: Promise<void> | undefined

  await long.schema.transaction().execute(async (trx) => {
    await sql`select * from book`.execute(trx)
    migrated = migrateAll(upgrade, { books: labels })
    await untilMigrationWaits(requests)
    // Only after the migration has given way: until then this waits, and after two seconds it would fail.
    await sql`insert into book (id, shelf_id) values (1, 1)`.execute(requests.read)
  })
  await migrated

  const { rows } = await sql`select id, label from book`.execute(requests.read)
  expect(rows).toEqual([{ id: 1, label: null }])
})

test('requests can write to a table during its backfill and the creation of its index', async () => {
  const [requests, upgrade] = [open(), open()]
  await migrateAll(upgrade, { books: shelves })
  const addBook = async (id: number) => {
    await requests.transaction(async (trx) => await sql`insert into book (id, shelf_id) values (${id}, 1)`.execute(trx))
  }
  const filled: Migrations = {
    ...labels,
    '0003_fill': {
      up: async () => undefined,
      backfill: async (db, place) => {
        await addBook(place === undefined ? 1 : 2)
        await sql`update book set label = 'new' where label is null`.execute(db as never)
        return { rows: 1, place: place === undefined ? 'second' : undefined }
      },
      indexes: [{ name: 'book_label', on: 'book (label)' }],
    },
  }

  await migrateAll(upgrade, { books: filled })

  const { rows } = await sql`select id, label from book order by id`.execute(requests.read)
  expect(rows).toEqual([
    { id: 1, label: 'new' },
    { id: 2, label: 'new' },
  ])
})

test('a backfill gives way to the lock of a request and continues once the lock is released', async () => {
  const [request, upgrade] = [open(), open()]
  await migrateAll(upgrade, { books: shelves })
  let attempts = 0
  const counted: Migrations = {
    ...shelves,
    '0002_count': {
      up: async () => undefined,
      backfill: async (db) => {
        attempts += 1
        await sql`update shelf set books = 7`.execute(db as never)
        return { rows: 1, place: undefined }
      },
    },
  }
  let migrated: Promise<void> | undefined

  await request.schema.transaction().execute(async (trx) => {
    await sql`update shelf set books = 1`.execute(trx)
    migrated = migrateAll(upgrade, { books: counted })
    await vi.waitFor(() => expect(attempts).toBeGreaterThanOrEqual(2), WITHIN)
  })
  await migrated

  const { rows } = await sql`select books from shelf`.execute(request.read)
  expect(rows).toEqual([{ books: 7 }])
})

const BLOCKED = [
  ['a deadlock', '40P01'],
  ['a lock timeout', '55P03'],
] as const
test.each(BLOCKED)('a migration that hits %s is repeated, and so is its backfill', async (_what, code) => {
  const database = open()
  await migrateAll(database, { books: shelves })
  const done: string[] = []
  const failOnce = async (db: unknown, part: string) => {
    done.push(part)
    if (done.filter((other) => other === part).length > 1) return
    await sql.raw(`do $$ begin raise exception 'blocked' using errcode = '${code}'; end $$`).execute(db as never)
  }
  const blocked: Migrations = {
    ...shelves,
    '0002_blocked': {
      up: async (db) => {
        await failOnce(db, 'tables')
      },
      backfill: async (db) => {
        await failOnce(db, 'rows')
        return { rows: 1, place: undefined }
      },
    },
  }

  await migrateAll(database, { books: blocked })

  expect(done).toEqual(['tables', 'tables', 'rows', 'rows'])
})

test('a process that starts during a backfill waits until another process has finished it', async () => {
  const [one, other] = [open(), open()]
  await migrateAll(one, { books: shelves })
  const order: string[] = []
  let second: Promise<void> | undefined
  const filled: Migrations = {
    ...labels,
    '0003_fill': {
      up: async () => undefined,
      backfill: async () => {
        second ??= migrateAll(other, { books: filled }).then(() => void order.push('the other is ready'))
        // It has asked for the lock several times by then.
        await pause(500)
        order.push('filled')
        return { rows: 0, place: undefined }
      },
      indexes: [{ name: 'book_label', on: 'book (label)' }],
    },
  }

  await migrateAll(one, { books: filled })
  order.push('the first is ready')
  await second

  expect(order.toSorted((a, b) => Number(b === 'filled') - Number(a === 'filled'))[0]).toBe('filled')
  expect(order.filter((entry) => entry === 'filled')).toHaveLength(1)
})

test('a backfill that was cut short continues where it stopped', async () => {
  const database = open()
  await migrateAll(database, { books: shelves })
  const places: (string | undefined)[] = []
  let isBroken = true
  const filled: Migrations = {
    ...labels,
    '0003_fill': {
      up: async () => undefined,
      backfill: async (_db, place) => {
        places.push(place)
        if (place === 'b' && isBroken) throw new Error('the disk is full')
        return await Promise.resolve({
          rows: 1,
          place: { b: 'c', c: undefined }[place ?? ''] ?? (place ? undefined : 'b'),
        })
      },
    },
  }

  await expect(migrateAll(database, { books: filled })).rejects.toThrow(
    'The database could not be brought up to date: the disk is full (in books 0003_fill). ' +
      'Its tables are those of this version, and no row is lost. Remove the cause and start again: it goes on from there.',
  )
  isBroken = false
  await migrateAll(database, { books: filled })
  await migrateAll(database, { books: filled })

  expect(places).toEqual([undefined, 'b', 'b', 'c'])
})

test('an index that was left incomplete is created again', async () => {
  const database = open()
  await migrateAll(database, { books: shelves })
  await sql`insert into book values (1, 1), (2, 1)`.execute(database.schema)
  const indexed: Migrations = {
    ...shelves,
    '0002_index': {
      up: async () => undefined,
      indexes: [{ name: 'book_of_shelf', isUnique: true, on: 'book (shelf_id)' }],
    },
  }
  const isValid = async () =>
    (await sql`select indisvalid from pg_index where indexrelid = 'book_of_shelf'::regclass`.execute(database.read))
      .rows

  await expect(migrateAll(database, { books: indexed })).rejects.toThrow('could not create unique index')
  expect(await isValid()).toEqual([{ indisvalid: false }])
  await sql`delete from book where id = 2`.execute(database.schema)
  await migrateAll(database, { books: indexed })

  expect(await isValid()).toEqual([{ indisvalid: true }])
})
