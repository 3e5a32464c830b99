import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Database } from '../database/database.ts'
import { openPostgres } from '../database/postgres.ts'
import { openSqlite } from '../database/sqlite.ts'
import { takeTime } from '../database/statement-runner.ts'
import { freePort } from '../testing/free-port.ts'
import { startMovableLine } from '../testing/movable-line.ts'
import { freshPostgresUrl } from '../testing/postgres-server.ts'
import { Outage, outageIn } from './outage.ts'

type Tables = { note: { id: number; text: string } }

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-outage-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  return await work().then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('a full disk', () => {
  let database: Database<Tables>
  beforeAll(async () => {
    database = openSqlite(join(folder, 'full.db')).withTables<Tables>()
    await sql`create table note (id integer primary key, text text)`.execute(database.schema)
  })
  afterAll(async () => {
    await database.close()
  })

  async function write(id: number, length: number): Promise<unknown> {
    return await failureOf(
      async () =>
        await database.transaction(
          async (trx) =>
            await trx
              .insertInto('note')
              .values({ id, text: 'x'.repeat(length) })
              .execute(),
        ),
    )
  }
  async function leaveRoomFor(pages: number): Promise<void> {
    await sql.raw(`pragma max_page_count = ${pages}`).execute(database.schema)
  }

  test('a full disk rejects writes without losing acknowledged ones, and accepts them again when there is space', async () => {
    await write(1, 10)
    await leaveRoomFor(10)

    const failures = await Promise.all([write(2, 200_000), write(3, 10), write(4, 200_000)])
    const kept = await database.read.selectFrom('note').select('id').orderBy('id').execute()
    await leaveRoomFor(10_000)
    const again = await Promise.all([write(12, 200_000), write(13, 10)])

    expect(failures.some((failure) => failure !== undefined)).toBe(true)
    expect(failures.filter((failure) => failure !== undefined && !outageIn(failure))).toEqual([])
    // Exactly the acknowledged writes are there.
    const acknowledged = [2, 3, 4].filter((_id, index) => failures[index] === undefined)
    expect(kept.map(({ id }) => id)).toEqual([1, ...acknowledged])
    expect(again).toEqual([undefined, undefined])
  })
})

describe('PostgreSQL', () => {
  test('a PostgreSQL server that does not listen is an outage', async () => {
    const database = openPostgres(`postgres://a:b@127.0.0.1:${await freePort()}/c`, { onIdleError: () => undefined })

    const failure = await failureOf(async () => await sql`select 1`.execute(database.read))
    await database.close()

    expect(outageIn(failure)).toBeInstanceOf(Error)
  })

  test('a PostgreSQL server that drops a connection in a transaction is an outage, and the next one succeeds', async () => {
    const database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined })
    const killed = await failureOf(
      async () =>
        await database.transaction(async (trx) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
          await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.read)
          await sql`select 1`.execute(trx)
        }),
    )

    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.read)
    await database.close()

    expect(outageIn(killed)).toBeInstanceOf(Error)
    expect(rows).toEqual([{ one: 1 }])
  })

  test('a PostgreSQL server that stops answering is an outage, and is used again once it answers', async () => {
    const url = new URL(await freshPostgresUrl())
    const line = await startMovableLine(Number(url.port))
    url.port = String(line.port)
    const database = openPostgres(url.href, { onIdleError: () => undefined, silenceMs: 500 })
    await sql`select 1`.execute(database.read)

    line.hold(true)
    const failure = await failureOf(async () => await sql`select 1`.execute(database.read))
    line.hold(false)
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.read)
    await database.close()
    await line.stop()

    expect(outageIn(failure)?.message).toMatch(/does not answer|terminated/u)
    expect(rows).toEqual([{ one: 1 }])
  })

  test('a PostgreSQL server cancels a slow statement, unless its transaction may be slow', async () => {
    const database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined, silenceMs: 300 })
    const sleep = async (isLong: boolean) =>
      await database.transaction(async (trx) => {
        if (isLong) await takeTime(trx)
        await sql`select pg_sleep(0.6)`.execute(trx)
      })

    const failure = await failureOf(async () => {
      await sleep(false)
    })
    const patient = await failureOf(async () => {
      await sleep(true)
    })
    await database.close()

    expect(outageIn(failure)?.message).toBe('canceling statement due to statement timeout')
    expect(patient).toBeUndefined()
  })

  test.each(['XX001', 'XX002'])(
    'a PostgreSQL server that finds its data damaged (%s) is an outage, and is reported once',
    async (code) => {
      const reported: unknown[] = []
      const onDamage = (error: unknown) => reported.push(error)
      const database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined, onDamage })
      const find = async () =>
        await failureOf(async () => {
          await sql`do ${sql.lit(`begin raise exception using errcode = '${code}', message = 'invalid page'; end`)}`.execute(
            database.read,
          )
        })

      const failures = [await find(), await find()]
      const isDamaged = database.isDamaged()
      await database.close()

      expect(failures.map((failure) => outageIn(failure)?.message)).toEqual(['invalid page', 'invalid page'])
      expect(reported).toHaveLength(1)
      expect(isDamaged).toBe(true)
    },
  )

  test('a PostgreSQL server may stay silent for a long time during a migration', async () => {
    const database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined, silenceMs: 200 })

    const change = await failureOf(async () => await sql`select pg_sleep(0.6)`.execute(database.schema))
    await database.close()

    expect(change).toBeUndefined()
  })

  test('a PostgreSQL server that rejects an invalid statement is not an outage', async () => {
    const database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined })

    const failure = await failureOf(async () => await sql`select * from nothing`.execute(database.read))
    await database.close()

    expect(failure).toBeInstanceOf(Error)
    expect(outageIn(failure)).toBeUndefined()
  })
})

test('an outage is found among the causes of an error, and other errors do not count as outages', () => {
  const outage = new Outage('The store failed', { of: 'images' })

  expect(outageIn(new Error('An upload failed', { cause: outage }))).toBe(outage)
  expect(outageIn(new Error('A mistake', { cause: new TypeError('another') }))).toBeUndefined()
  expect(outageIn('no error')).toBeUndefined()
})
