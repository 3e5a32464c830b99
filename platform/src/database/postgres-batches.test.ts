import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { freshPostgresUrl } from '../testing/postgres-server.ts'
import { type Database, withTables } from './database.ts'
import { openPostgres } from './postgres.ts'
import { prepared } from './prepared.ts'
import { PreparingClient } from './preparing-client.ts'

type Tables = { shelf: { id: string; films: number } }

let breaksAtCommit = false

/** A connection that may break while it sends a commit. */
class BreakingClient extends PreparingClient {
  // oxlint-disable-next-line typescript/no-explicit-any -- as in PreparingClient
  override query(...given: unknown[]): any {
    if (given[0] === 'commit' && breaksAtCommit) setImmediate(() => this.connection.stream.destroy())
    return super.query(...given)
  }
}

const addFilm = prepared<{ id: string }, { films: number; transaction: string }>((db, value) =>
  withTables<Tables>(db)
    .updateTable('shelf')
    .set((eb) => ({ films: eb('films', '+', 1) }))
    .where('id', '=', value('id'))
    .returning(['films', sql<string>`pg_current_xact_id()::text`.as('transaction')]),
)

let database: Database<Tables>
let other: Database<Tables>
beforeAll(async () => {
  const url = await freshPostgresUrl()
  const open = () => openPostgres(url, { onIdleError: () => undefined, Client: BreakingClient }).withTables<Tables>()
  database = open()
  other = open()
  await sql`create table shelf (id text primary key, films integer not null)`.execute(database.schema)
})
beforeEach(async () => {
  await sql`truncate shelf`.execute(database.read)
  await sql`insert into shelf values ('a', 0), ('b', 0), ('c', 0)`.execute(database.read)
})
afterAll(async () => {
  await Promise.all([database.close(), other.close()])
})

/** Adds a film to a shelf, and returns its transaction. Fails after the change if `fails`. */
async function add(id: string, { fails = false, onRun = () => undefined as void } = {}): Promise<string | undefined> {
  return await database.transaction(
    async (trx) => {
      onRun()
      const [row] = await addFilm(trx, { id })
      if (fails) throw new Error('changed my mind')
      return row?.transaction
    },
    { locks: id },
  )
}

async function films(): Promise<Record<string, number>> {
  const rows = await database.read.selectFrom('shelf').selectAll().execute()
  return Object.fromEntries(rows.map((row) => [row.id, row.films]))
}

test('concurrent changes share a transaction, and changes of the same row run one after the other', async () => {
  let running = 0
  let most = 0
  const count = async (id: string) =>
    await database.transaction(
      async (trx) => {
        running += 1
        most = Math.max(most, running)
        const [row] = await addFilm(trx, { id })
        running -= 1
        return row
      },
      { locks: id },
    )

  const rows = await Promise.all([count('a'), count('a'), count('a')])
  const [a, b, c] = await Promise.all([add('a'), add('b'), add('c')])

  expect(rows.map((row) => row?.films)).toEqual([1, 2, 3])
  expect(new Set(rows.map((row) => row?.transaction)).size).toBe(1)
  expect(most).toBe(1)
  expect([b, c]).toEqual([a, a])
  expect(await films()).toEqual({ a: 4, b: 1, c: 1 })
})

test('a failed change of a row leaves nothing behind, and other changes of the row succeed', async () => {
  const outcomes = await Promise.allSettled([add('a'), add('a', { fails: true }), add('a')])

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await films()).toEqual({ a: 2, b: 0, c: 0 })
})

test('a failed change leaves nothing behind, and changes of other rows that arrived with it succeed', async () => {
  const outcomes = await Promise.allSettled([add('a'), add('b', { fails: true }), add('c')])

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { message: 'changed my mind' } })
  expect(await films()).toEqual({ a: 1, b: 0, c: 1 })
})

test('a change that waits for another transaction does not hold up changes that arrived with it', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>()
  const { promise: isLocked, resolve: lock } = Promise.withResolvers<undefined>()
  const blocking = other.transaction(async (trx) => {
    await addFilm(trx, { id: 'a' })
    lock(undefined)
    await isReleased
  })
  await isLocked

  const blocked = add('a')
  await Promise.all([add('b'), add('c')])
  const meanwhile = await films()
  release(undefined)
  await Promise.all([blocking, blocked])

  expect(meanwhile).toEqual({ a: 0, b: 1, c: 1 })
  expect(await films()).toEqual({ a: 2, b: 1, c: 1 })
})

test('if the connection breaks during a shared commit, all its changes are rejected, and none runs again', async () => {
  let runs = 0
  const onRun = () => void (runs += 1)
  breaksAtCommit = true

  const outcomes = await Promise.allSettled([add('a', { onRun }), add('b', { onRun })])
  breaksAtCommit = false

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(runs).toBe(2)
  // Either both changes were committed or none.
  // One read, because PostgreSQL may commit after the connection broke.
  const { a, b } = await films()
  expect([0, 1]).toContain(a)
  expect(a).toBe(b)
})
