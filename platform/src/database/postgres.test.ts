import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshPostgresUrl } from '../testing/postgres-server.ts'
import type { AnyDb, Database } from './database.ts'
import { openPostgres } from './postgres.ts'

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

test('a statement that comes after the end of its transaction reaches nobody', async () => {
  let kept: AnyDb | undefined
  await database.transaction(async (trx) => {
    kept = trx
    await Promise.resolve()
  })

  await expect(add(kept as AnyDb, 'Playtime')).rejects.toThrow('The transaction is over')
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
