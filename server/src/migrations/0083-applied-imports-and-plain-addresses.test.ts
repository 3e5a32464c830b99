import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { migrate, type Migrations } from '@marquee/platform/database/migrate'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './index.ts'

const before: Migrations = Object.fromEntries(Object.entries(productMigrations).filter(([name]) => name < '0083'))

eachDatabase({}, (theDatabase) => {
  test('an upgrade removes query strings, which may contain a key, from addresses of media servers', async () => {
    const run = async (text: string) => await sql.raw(text).execute(theDatabase().schema)
    await migrate(theDatabase(), 'product', before)
    await run(`insert into watchlist (id, name, owner_id, owner_username, created_at, updated_at)
      values ('w', 'Films', 'u', 'ana', '2026', '2026')`)
    const connect = async (id: string, openUrl: string) =>
      await run(`insert into media_server (watchlist_id, id, kind, name, machine_id, host, open_url, target, state,
        created_at, creator_id, due_at, attempts) values ('w', '${id}', 'jellyfin', 'Home', '${id}', 'home.example',
        ${openUrl}, 'target', 'ready', '2026', 'u', 0, 0)`)
    await connect('a', `'https://a.example/jellyfin?api_key=secret'`)
    await connect('b', `'https://b.example/#!/home?api_key=secret'`)
    await connect('c', `'https://c.example'`)
    await connect('d', 'null')
    // More than one batch.
    for (let n = 0; n < 200; n += 1) await connect(`e${n}`, `'https://e.example?key=secret'`)

    await migrate(theDatabase(), 'product', productMigrations)

    const { rows } = await sql<{ open_url: string | null }>`select open_url from media_server where watchlist_id = 'w'
      order by id`.execute(theDatabase().schema)
    const addresses = rows.map((row) => row.open_url)
    expect(addresses.slice(0, 4)).toEqual([
      'https://a.example/jellyfin',
      'https://b.example/',
      'https://c.example',
      null,
    ])
    expect(new Set(addresses.slice(4))).toEqual(new Set(['https://e.example']))
  })
})
