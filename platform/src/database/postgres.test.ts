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
