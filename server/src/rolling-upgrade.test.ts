import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'

import { migrateAll, type Migrations } from '@marquee/platform/database/migrate'
import { openPostgres } from '@marquee/platform/database/postgres'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { makeTables, MIGRATIONS } from './migrations/make-tables.ts'

const CARDS = 2_000
const WRITERS = 8

/** The tables of the first published version. */
const FIRST: Readonly<Record<string, Migrations>> = {
  ...MIGRATIONS,
  product: Object.fromEntries(Object.entries(MIGRATIONS['product'] ?? {}).filter(([name]) => name < '0006')),
}

const ADD_CARDS = `insert into card (watchlist_id, id, title, image_url, status, creator_id, creator_username, created_at,
    updated_at, status_changed_at, status_change_count)
  select $1, 'c' || n, 'Film ' || n, 'https://example.org/a.jpg', 'WATCHED', 'u', 'ana', '2026', '2026', '2026', 1
  from generate_series($2::int, $3::int) as n`

/** Writes as a request of each version does, without a repeat: first the watchlist, then its cards. */
async function write(client: pg.Client, watchlistId: string, n: number): Promise<void> {
  await client.query('begin')
  await client.query('update watchlist set version = version + 1 where id = $1', [watchlistId])
  await client.query(ADD_CARDS, [watchlistId, n, n])
  await client.query(`update card set title = 'Other' where watchlist_id = $1 and id = 'c' || ($2::int - 1)`, [
    watchlistId,
    n,
  ])
  await client.query('commit')
}

// `npm run rolling-upgrade` does the same with real processes of earlier versions and 100,000 cards.
test('the first version writes without an error or a deadlock while all migrations run', async () => {
  const connectionString = await freshPostgresUrl()
  const database = openPostgres(connectionString, { onIdleError: () => undefined })
  await migrateAll(database, FIRST)
  await sql`insert into watchlist (id, name, owner_id, owner_username, created_at, updated_at)
    select 'w' || n, 'Films', 'u', 'ana', '2026', '2026' from generate_series(1, ${WRITERS}) as n`.execute(
    database.schema,
  )
  const clients = Array.from({ length: WRITERS }, () => new pg.Client({ connectionString }))
  await Promise.all(clients.map(async (client) => await client.connect()))
  await clients[0]?.query(ADD_CARDS, ['w1', 1, CARDS])

  let isOver = false
  const failures: unknown[] = []
  const writers = clients.map(async (client, index) => {
    for (let n = CARDS + 1; !isOver && failures.length === 0; n += 1) {
      await write(client, `w${index + 1}`, n).catch((error: unknown) => failures.push(error))
    }
  })
  try {
    await makeTables(database)
  } finally {
    isOver = true
    await Promise.all(writers)
    await Promise.all(clients.map(async (client) => await client.end()))
  }

  const unfilled = await sql`select 1 from card where watchlist_id = 'w1' and substr(id, 2)::int <= ${CARDS} and
    (folded_title = '' or not exists (select 1 from card_words where card_id = id))`.execute(database.read)
  await database.close()
  expect(failures).toEqual([])
  expect(unfilled.rows).toEqual([])
})
