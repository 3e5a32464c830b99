import { execFileSync } from 'node:child_process'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshPostgresUrl } from '../testing/postgres-server.ts'
import { type AnyDb, type Database, withTables } from './database.ts'
import { openPostgres } from './postgres.ts'
import { prepared } from './prepared.ts'
import { askTogether, askWithOthers, takeTime } from './statement-runner.ts'

const tables = withTables<{ film: { title: string } }>

let database: Database<unknown>
beforeAll(async () => {
  database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined })
  await sql`create table film (title text primary key)`.execute(database.schema)
})
afterAll(async () => {
  await database.close()
})

test('statements sent together outside a transaction run in order, and later ones are rejected', async () => {
  const count = prepared<object, { n: number }>((db) =>
    tables(db).selectNoFrom(sql<number>`nextval('counter')::int`.as('n')),
  )
  await sql`create sequence counter`.execute(database.schema)
  let kept: AnyDb | undefined

  const seen = await askTogether(database.read, async (db) => {
    kept = db
    return await Promise.all([count(db, {}), count(db, {}), count(db, {})])
  })

  expect(seen).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
  await expect(count(kept as AnyDb, {})).rejects.toThrow('This connection has been given back')
})

test('look-ups of several requests share a connection, fail separately, and release it', async () => {
  const inverse = prepared<{ of: number }, { n: number; connection: number }>((db, value) =>
    tables(db).selectNoFrom([
      sql<number>`1 / ${value('of')}::int`.as('n'),
      sql<number>`pg_backend_pid()`.as('connection'),
    ]),
  )
  const lookUp = async (of: number) => await askWithOthers(database.read, async (db) => await inverse(db, { of }))

  const [one, failed, other] = await Promise.allSettled([lookUp(1), lookUp(0), lookUp(-1)])
  const [later] = await lookUp(1)

  const connection = later?.connection
  expect(one).toEqual({ status: 'fulfilled', value: [{ n: 1, connection }] })
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'division by zero' } })
  expect(other).toEqual({ status: 'fulfilled', value: [{ n: -1, connection }] })
  expect(database.load().inUse).toBe(0)
})

test('a transaction rejects with the error of the failed statement, not of those sent after it', async () => {
  const add = prepared<{ title: string }, unknown>((db, value) =>
    tables(db)
      .insertInto('film')
      .values({ title: value('title') }),
  )
  /** Rejects later than a promise that is awaited directly. */
  const through = async (functions: number, work: () => Promise<unknown>): Promise<unknown> =>
    functions === 0 ? await work() : await through(functions - 1, work)

  const adding = database.transaction(async (trx) => {
    await add(trx, { title: 'Stalker' })
    const again = through(20, async () => await add(trx, { title: 'Stalker' }))
    const behind = add(trx, { title: 'Playtime' })
    // Both replies have arrived when this process reads again.
    setImmediate(() => execFileSync('sleep', ['0.1']))
    await Promise.all([again, behind])
  })

  await expect(adding).rejects.toThrow(/unique/u)
})

test('a long transaction checks foreign keys by index, even if the check was planned for a small table', async () => {
  await sql`create table shelf (n integer primary key)`.execute(database.schema)
  await sql`create table book (shelf integer references shelf (n))`.execute(database.schema)
  await sql`insert into shelf values (1)`.execute(database.schema)
  await sql`analyze shelf`.execute(database.schema)
  const walked = async (trx: AnyDb) => {
    const { rows } = await sql<{ connection: number; rows: number }>`
      select pg_backend_pid() as connection, seq_tup_read::int as rows
      from pg_stat_xact_user_tables where relname = 'shelf'`.execute(trx)
    return rows[0] ?? { connection: 0, rows: 0 }
  }
  /** The connection, and how many shelves it went through. */
  const addBooks = async (shelf: number, { count, isLong }: { count: number; isLong: boolean }) =>
    await database.transaction(async (trx) => {
      if (isLong) await takeTime(trx)
      const before = await walked(trx)
      await sql`insert into book select ${sql.lit(shelf)} from generate_series(1, ${sql.lit(count)})`.execute(trx)
      const { connection, rows } = await walked(trx)
      return { connection, rows: rows - before.rows }
    })

  const first = await addBooks(1, { count: 20, isLong: false })
  await sql`insert into shelf select generate_series(2, 5000)`.execute(database.schema)
  const later = await addBooks(5_000, { count: 1, isLong: true })

  expect(first.rows).toBe(20)
  expect(later).toEqual({ connection: first.connection, rows: 0 })
})
