import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'

import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { outageIn } from '../runtime/outage.ts'
import { type Intercept, interceptSqlite, sqliteError } from '../testing/intercept-sqlite.ts'
import type { AnyDb, Database } from './database.ts'
import { openSqlite } from './sqlite.ts'

const FULL = 13

let folder: string
const opened: Database<unknown>[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-sqlite-'))
})
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function openFilms(options: Parameters<typeof openSqlite>[1] = {}): Promise<Database<unknown>> {
  const database = openSqlite(join(folder, 'films.db'), options)
  opened.push(database)
  await sql`create table if not exists film (title text primary key)`.execute(database.schema)
  return database
}

/** A separate connection, which SQLite treats like another process. */
function connectFromOutside(): DatabaseSync {
  return new DatabaseSync(join(folder, 'films.db'))
}

const add = async (db: AnyDb, title: string) => await sql`insert into film values (${title})`.execute(db)

async function titles(database: Database<unknown>): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`select title from film order by title`.execute(database.read)
  return rows.map(({ title }) => title)
}

/** Fails the first step whose SQL matches, after `before`; later ones succeed. */
function failOnce(which: RegExp, before: (sql: string) => void = () => undefined): Intercept {
  let hasFailed = false
  return (statement, run) => {
    if (hasFailed || !which.test(statement)) return run()
    hasFailed = true
    before(statement)
    throw sqliteError(FULL, 'database or disk is full')
  }
}

/** Two requests of one batch: one adds a film, the other rejects because the film exists. */
async function addAndRefuse(database: Database<unknown>): Promise<PromiseSettledResult<string>[]> {
  const adding = database.transaction(async (trx) => {
    await add(trx, 'Stalker')
    return 'added'
  })
  const refusing = database.transaction(async (trx) => {
    const { rows } = await sql`select 1 from film where title = 'Stalker'`.execute(trx)
    if (rows.length > 0) throw new TypeError('There is such a film')
    return 'free'
  })
  return await Promise.allSettled([adding, refusing])
}

test('a rejection caused by a row of the same batch is reported after the commit', async () => {
  const database = await openFilms()

  const outcomes = await addAndRefuse(database)

  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 'added' },
    { status: 'rejected', reason: new TypeError('There is such a film') },
  ])
})

test('a failed commit rejects every job of the batch, including rejections, and the next batch succeeds', async () => {
  const database = await openFilms({ connect: interceptSqlite(failOnce(/^commit$/u)) })

  const outcomes = await addAndRefuse(database)
  const kept = await titles(database)
  const again = await addAndRefuse(database)

  expect(
    outcomes.map((outcome) => (outcome.status === 'rejected' ? outageIn(outcome.reason)?.message : 'kept')),
  ).toEqual([
    'The changes could not be committed: database or disk is full',
    'The changes could not be committed: database or disk is full',
  ])
  expect(kept).toEqual([])
  expect(again[0]).toEqual({ status: 'fulfilled', value: 'added' })
})

test.each([
  ['a savepoint', /^savepoint/u],
  ['the release of a savepoint', /^release/u],
  ['a rollback', /^rollback to job/u],
])('if %s fails, every request is answered and the next batch succeeds', async (_what, which) => {
  const database = await openFilms({ connect: interceptSqlite(failOnce(which)) })

  await addAndRefuse(database)
  await database.transaction(async (trx) => await add(trx, 'Playtime'))

  expect(await titles(database)).toContain('Playtime')
})

test('after SQLite rolls back a transaction by itself, no later statement runs outside a transaction', async () => {
  let writer: DatabaseSync | undefined
  const connect = interceptSqlite(
    failOnce(/'Ran'/u, () => {
      writer?.exec('rollback')
    }),
  )
  const database = await openFilms({
    connect: (...given) => {
      const connection = connect(...given)
      writer ??= connection
      return connection
    },
  })

  const outcomes = await Promise.allSettled([
    database.transaction(async (trx) => await add(trx, 'Ikiru')),
    database.transaction(async (trx) => {
      await sql`insert into film values ('Ran')`.execute(trx).catch(() => undefined)
      await add(trx, 'Playtime')
    }),
    database.transaction(async (trx) => await add(trx, 'Stalker')),
  ])

  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await titles(database)).toEqual([])
})

test('while another process has the write lock, reads are answered and the event loop is not blocked', async () => {
  const database = await openFilms()
  const outside = connectFromOutside()
  outside.exec('begin immediate')

  const adding = database.transaction(async (trx) => await add(trx, 'Stalker'))
  // A write that blocks the event loop would give up before the lock is free.
  for (let turn = 0; turn < 100; turn += 1) await nextTurn()
  const seen = await titles(database)
  outside.exec('commit')
  outside.close()
  await adding

  expect(seen).toEqual([])
  expect(await titles(database)).toEqual(['Stalker'])
})

test('a write that waits too long for another process is an outage', async () => {
  const database = await openFilms({ lockedMs: 100 })
  const outside = connectFromOutside()
  outside.exec('begin immediate')

  const failure = await database.transaction(async (trx) => await add(trx, 'Stalker')).catch((error: unknown) => error)
  outside.close()

  expect(outageIn(failure)?.message).toBe('database is locked')
  expect(await titles(database)).toEqual([])
})

test('a damaged database is an outage and is reported once', async () => {
  const path = join(folder, 'films.db')
  const whole = await openFilms()
  await whole.transaction(async (trx) => {
    for (let n = 0; n < 2_000; n += 1) await add(trx, `A film with a title that takes some room, number ${n}`)
  })
  await opened.pop()?.close()
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(100_000, 'x'), 0, 100_000, 8_192)
  await file.close()
  const reported: unknown[] = []
  const database = openSqlite(path, { onDamage: (error) => reported.push(error) })
  opened.push(database)
  const isDamagedAtFirst = database.isDamaged()

  const failures = [await titles(database).catch((error: unknown) => error)]
  failures.push(await titles(database).catch((error: unknown) => error))

  expect(isDamagedAtFirst).toBe(false)
  expect(failures.map((failure) => outageIn(failure)?.message)).toEqual([
    'database disk image is malformed',
    'database disk image is malformed',
  ])
  expect(reported).toEqual([failures[0]])
  expect(database.isDamaged()).toBe(true)
})

test('a prepared statement returns a column that is added to its table later', async () => {
  const database = await openFilms()
  const all = async () => (await sql`select * from film`.execute(database.schema)).rows
  await database.transaction(async (trx) => await add(trx, 'Ran'))
  const before = await all()

  await sql`alter table film add column year integer not null default 1985`.execute(database.schema)

  expect([before, await all()]).toEqual([[{ title: 'Ran' }], [{ title: 'Ran', year: 1985 }]])
})

test('discarded rows do not end up in long-lived memory', async () => {
  const database = await openFilms()
  const read = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await sql`with recursive n (n) as (select 1 union all select n + 1 from n where n < 100) select n, 'Ran' as title from n`.execute(
        database.read,
      )
    }
  }
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size
  await read(100)

  // A collection of old memory hides what is left, and what earlier tests made may grow old: the median of some rounds counts.
  const grown: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const before = oldBytes() ?? 0
    await read(500)
    grown.push((oldBytes() ?? 0) - before)
  }

  expect(grown.toSorted((one, other) => one - other)[4]).toBeLessThan(2_000_000)
})

test('a statement with a limit and a pattern is planned once, whatever their values', async () => {
  let planned = 0
  const database = await openFilms({
    connect: (...given) => {
      const connection = new DatabaseSync(...given)
      // SQLite asks it about each table and column while it plans.
      connection.setAuthorizer(() => {
        planned += 1
        return constants.SQLITE_OK
      })
      return connection
    },
  })
  for (const title of ['Alien', 'Aliens', 'Ran']) await database.transaction(async (trx) => await add(trx, title))
  const find = async (pattern: string, limit: number) => {
    const query = sql<{
      title: string
    }>`select title from film where title like ${pattern} order by title limit ${limit}`
    return (await query.execute(database.read)).rows.map(({ title }) => title)
  }

  expect(await find('R%', 5)).toEqual(['Ran'])
  const before = planned

  expect(await find('A%', 1)).toEqual(['Alien'])
  expect(await find('A%', 2)).toEqual(['Alien', 'Aliens'])
  expect(before).toBeGreaterThan(0)
  expect(planned).toBe(before)
})
