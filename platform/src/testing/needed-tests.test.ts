import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { openSqlite } from '../database/sqlite.ts'
import { chooseTests } from './needed-tests.ts'

const ADDS = { fullTestName: 'films are added', tags: [] }
const ADDS_AGAIN = { fullTestName: 'films are added again', tags: [] }
const RENAMES = { fullTestName: 'films are renamed', tags: [] }

/** The choice after these tests sent these statements to SQLite. */
async function chooseAfter(...tests: (readonly [test: { fullTestName: string }, statements: readonly string[]])[]) {
  const database = openSqlite(':memory:')
  await sql`create table film (id text, title text)`.execute(database.schema)
  const needed = chooseTests()
  for (const [{ fullTestName }, statements] of tests) {
    for (const statement of statements) needed.heardOnSqlite(statement)
    needed.endedOnSqlite({ fullTestName: `on sqlite > ${fullTestName}`, tags: [] })
  }
  await needed.compareWith(database.schema)
  await database.close()
  return needed
}

const ADD = 'insert into "film" ("id", "title") values (?, ?)'
const ADD_ON_POSTGRES = 'insert into "film" ("id", "title") values ($1, $2)'
const RENAME = 'update "film" set "title" = ? where "id" = ?'

test('a test is needed on PostgreSQL until its statements have been sent there', async () => {
  const needed = await chooseAfter([ADDS, [ADD]], [ADDS_AGAIN, [ADD]], [RENAMES, [ADD, RENAME]])
  const isNeeded = () =>
    [ADDS, ADDS_AGAIN, RENAMES].map((one) =>
      needed.isNeeded({ ...one, fullTestName: `on postgres > ${one.fullTestName}` }),
    )

  expect(isNeeded()).toEqual([true, true, true])
  needed.heardOnPostgres(ADD_ON_POSTGRES)
  expect(isNeeded()).toEqual([false, false, true])
})

test('a test of a race is needed on PostgreSQL whatever has been sent there', async () => {
  const needed = await chooseAfter([ADDS, [ADD]])
  needed.heardOnPostgres(ADD_ON_POSTGRES)

  expect(needed.isNeeded({ fullTestName: 'on postgres > films are added', tags: ['race'] })).toBe(true)
})

test('a test that did not run on SQLite is needed on PostgreSQL', async () => {
  const needed = await chooseAfter([ADDS, [ADD]])
  needed.heardOnPostgres(ADD_ON_POSTGRES)

  expect(needed.isNeeded({ fullTestName: 'on postgres > another', tags: [] })).toBe(true)
})
