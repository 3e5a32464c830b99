import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshPostgresUrl } from '../testing/postgres-server.ts'
import type { AnyDb, Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { prepared } from './prepared.ts'
import { askTogether } from './statement-runner.ts'

let database: Database<unknown>
beforeAll(async () => {
  database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined })
  await sql`create table film (title text primary key)`.execute(database.schema)
})
afterAll(async () => {
  await database.close()
})

const add = async (db: AnyDb, title: string) => await sql`insert into film values (${title})`.execute(db)
const listFilms = async () => (await sql`select title from film`.execute(database.read)).rows

test('statements asked for together outside a transaction run in the order asked, and none comes later', async () => {
  const count = prepared<object, { n: number }>((db) => db.selectNoFrom(sql<number>`nextval('counter')::int`.as('n')))
  await sql`create sequence counter`.execute(database.schema)
  let kept: AnyDb | undefined

  const seen = await askTogether(database.read, async (db) => {
    kept = db
    return await Promise.all([count(db, {}), count(db, {}), count(db, {})])
  })

  expect(seen).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
  await expect(count(kept as AnyDb, {})).rejects.toThrow('This connection has been given back')
})

test('a statement that comes after the end of its transaction reaches nobody', async () => {
  let kept: AnyDb | undefined
  await database.transaction(async (trx) => {
    kept = trx
    await Promise.resolve()
  })

  await expect(add(kept as AnyDb, 'Playtime')).rejects.toThrow('This connection has been given back')
  expect(await listFilms()).toEqual([])
})

test('work that goes on after a statement failed is not taken for done', async () => {
  const work = database.transaction(async (trx) => {
    await add(trx, 'Stalker')
    await add(trx, 'Stalker').catch(() => undefined)
    return 'done'
  })

  await expect(work).rejects.toThrow('A statement failed, and the work went on')
  expect(await listFilms()).toEqual([])
})
