import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { migrate, type Migrations } from '@marquee/platform/database/migrate'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './index.ts'

const EARLIER: Migrations = Object.fromEntries(Object.entries(productMigrations).filter(([name]) => name < '0033'))

eachDatabase({}, (theDatabase) => {
  const run = async (text: string) => await sql.raw(text).execute(theDatabase().schema)
  const add = async (id: string, title: string, people: string) =>
    await run(`insert into card (watchlist_id, id, title, folded_title, folded_people, image_url, status, creator_id,
      creator_username, created_at, updated_at, status_changed_at, status_change_count)
      values ('w', '${id}', 'x', '${title}', '${people}', 'https://example.org/a.jpg', 'WATCHED', 'u', 'ana', '2026', '2026',
      '2026', 1)`)
  const words = async () => {
    const { rows } = await sql<{ found: string }>`select card_id || ' ' || word as found from card_words
      where watchlist_id = 'w' order by card_id, word`.execute(theDatabase().schema)
    return rows.map(({ found }) => found)
  }

  test('the word index stays up to date for cards from before and after the upgrade', async () => {
    await migrate(theDatabase(), 'product', EARLIER)
    await run(`insert into watchlist (id, name, owner_id, owner_username, created_at, updated_at)
      values ('w', 'Films', 'u', 'ana', '2026', '2026')`)
    await add('a', 'ran to ran', 'akira kurosawa\nmasato ide')
    await add('b', '"? [\\]', '')

    await migrate(theDatabase(), 'product', productMigrations)
    expect(await words()).toEqual(['a akira', 'a ide', 'a kurosawa', 'a masato', 'a ran', 'a to', 'b "?', 'b [\\]'])

    await add('c', 'amelie', '')
    await run(`update card set folded_title = 'ran again', folded_people = 'ide' where id = 'a'`)
    await run(`delete from card where id = 'b'`)
    expect(await words()).toEqual(['a again', 'a ide', 'a ran', 'c amelie'])

    await run(`delete from watchlist where id = 'w'`)
    expect(await words()).toEqual([])
  })
})
