import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Database, withTables } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import { openSqlite } from '../database/sqlite.ts'
import { watchKeys } from './named-keys.ts'

type Tables = {
  card: { watchlist_id: string; id: string; title: string }
  note: { watchlist_id: string; id: string; text: string }
  person: { user_id: string; username: string }
}

let folder: string
let database: Database<unknown>
const schema = () => database.schema
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-test-'))
  database = openSqlite(join(folder, 'keys.db'))
  await sql`create table card (watchlist_id text, id text, title text, primary key (watchlist_id, id))`.execute(
    schema(),
  )
  await sql`create table note (watchlist_id text, id text, text text, primary key (watchlist_id, id))`.execute(schema())
  await sql`create table person (user_id text primary key, username text)`.execute(schema())
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

async function whatIsWrongWith(ask: (db: Database<Tables>) => Promise<unknown>): Promise<string[]> {
  const watched = watchKeys(database)
  await ask(watched.database.withTables<Tables>())
  return await watched.unkeyed()
}

test('a statement that names the key of every table is accepted', async () => {
  const found = await whatIsWrongWith(async ({ read, transaction }) => {
    await read.selectFrom('card').selectAll().where('watchlist_id', '=', 'w').where('id', '=', 'c').execute()
    await read
      .selectFrom('card')
      .innerJoin('note', (join) =>
        join.onRef('note.watchlist_id', '=', 'card.watchlist_id').onRef('note.id', '=', 'card.id'),
      )
      .select('note.text')
      .where('card.watchlist_id', '=', 'w')
      .execute()
    await transaction(async (trx) => {
      await trx.insertInto('person').values({ user_id: 'u', username: 'zoe' }).execute()
      await trx.updateTable('person').set({ username: 'zoë' }).where('user_id', '=', 'u').execute()
    })
  })
  expect(found).toEqual([])
})

test('a statement without its key is reported, in a read and in a transaction', async () => {
  const found = await whatIsWrongWith(async ({ read, transaction }) => {
    await read.selectFrom('card').select('title').where('id', '=', 'c').execute()
    await transaction(async (trx) => {
      await trx.deleteFrom('person').where('username', '=', 'zoe').execute()
    })
  })
  expect(found).toEqual([
    expect.stringMatching(/^SCAN card .*names no key: select "title"/u),
    expect.stringMatching(/^SCAN person .*names no key: delete/u),
  ])
})

test('a prepared statement without its key is reported', async () => {
  const byTitle = prepared<{ title: string }, { id: string }>((db, value) =>
    withTables<Tables>(db).selectFrom('card').select('id').where('title', '=', value('title')),
  )
  const found = await whatIsWrongWith(async ({ read, transaction }) => {
    await byTitle(read, { title: 'Alien' })
    await transaction(async (trx) => {
      await byTitle(trx, { title: 'Alien' })
    })
  })
  expect(found).toEqual([expect.stringMatching(/^SCAN card .*names no key: select "id"/u)])
})

test('a statement across differently distributed tables is reported, although it names both keys', async () => {
  const found = await whatIsWrongWith(async ({ read }) => {
    await read
      .selectFrom(['card', 'person'])
      .select(['card.title', 'person.username'])
      .where('card.watchlist_id', '=', 'w')
      .where('person.user_id', '=', 'u')
      .execute()
  })
  expect(found).toEqual([expect.stringMatching(/^Tables that lie apart \(watchlist_id, user_id\)/u)])
})
