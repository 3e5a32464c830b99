import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Database } from '../database/database.ts'
import { openPostgres } from '../database/postgres.ts'
import { openSqlite } from '../database/sqlite.ts'
import { freePort } from '../testing/free-port.ts'
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

/** A line to a database that can be held: it stays open and carries nothing. */
async function startLine(
  database: URL,
): Promise<{ url: string; hold: (held: boolean) => void; stop: () => Promise<void> }> {
  let isHeld = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const onward = connect(Number(database.port), database.hostname)
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!isHeld) to.write(bytes)
      })
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(database)
  url.port = typeof address === 'object' && address !== null ? String(address.port) : ''
  return {
    url: url.href,
    hold: (held) => {
      isHeld = held
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

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

  test('refuses the writes it has no room for, loses none that was acknowledged, and takes them once it has', async () => {
    await write(1, 10)
    await leaveRoomFor(10)

    const failures = await Promise.all([write(2, 200_000), write(3, 10), write(4, 200_000)])
    const kept = await database.read.selectFrom('note').select('id').orderBy('id').execute()
    await leaveRoomFor(10_000)
    const again = await Promise.all([write(12, 200_000), write(13, 10)])

    expect(failures.some((failure) => failure !== undefined)).toBe(true)
    expect(failures.filter((failure) => failure !== undefined && !outageIn(failure))).toEqual([])
    // What was acknowledged is there, and nothing else.
    const acknowledged = [2, 3, 4].filter((_id, index) => failures[index] === undefined)
    expect(kept.map(({ id }) => id)).toEqual([1, ...acknowledged])
    expect(again).toEqual([undefined, undefined])
  })
})

describe('PostgreSQL', () => {
  test('that does not listen is an outage', async () => {
    const database = openPostgres(`postgres://a:b@127.0.0.1:${await freePort()}/c`, { onIdleError: () => undefined })

    const failure = await failureOf(async () => await sql`select 1`.execute(database.read))
    await database.close()

    expect(outageIn(failure)).toBeInstanceOf(Error)
  })

  test('that ends a connection in the middle of a transaction is an outage, and the next one is answered', async () => {
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

  test('that falls silent is an outage, and asked again once it answers', async () => {
    const line = await startLine(new URL(await freshPostgresUrl()))
    const database = openPostgres(line.url, { onIdleError: () => undefined, silenceMs: 500 })
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

  test('may be silent for long while its tables are changed', async () => {
    const database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined, silenceMs: 200 })

    const change = await failureOf(async () => await sql`select pg_sleep(0.6)`.execute(database.schema))
    await database.close()

    expect(change).toBeUndefined()
  })

  test('that refuses a statement for what it says is none', async () => {
    const database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined })

    const failure = await failureOf(async () => await sql`select * from nothing`.execute(database.read))
    await database.close()

    expect(failure).toBeInstanceOf(Error)
    expect(outageIn(failure)).toBeUndefined()
  })
})

test('the outage is found behind what it caused, and nothing else is one', () => {
  const outage = new Outage('The store failed', { of: 'images' })

  expect(outageIn(new Error('An upload failed', { cause: outage }))).toBe(outage)
  expect(outageIn(new Error('A mistake', { cause: new TypeError('another') }))).toBeUndefined()
  expect(outageIn('no error')).toBeUndefined()
})
