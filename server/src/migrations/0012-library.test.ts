import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { migrate, type Migrations } from '@marquee/platform/database/migrate'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './index.ts'

const EARLIER: Migrations = Object.fromEntries(Object.entries(productMigrations).filter(([name]) => name < '0012'))

eachDatabase({}, (theDatabase) => {
  test('cards from before the upgrade can be searched, filtered and sorted', async () => {
    const { schema } = theDatabase()
    await migrate(theDatabase(), 'product', EARLIER)
    await sql`insert into watchlist (id, name, owner_id, owner_username, created_at, updated_at)
      values ('w', 'Films', 'u', 'ana', '2026', '2026')`.execute(schema)
    const movie = '{"year":2001,"runtimeMinutes":122,"genres":["Comedy"],"directors":["Jean-Pierre Jeunet"]}'
    for (const [id, title, facts] of [
      ['a', 'Amélie', movie],
      ['b', 'Ran', null],
    ]) {
      await sql`insert into card (watchlist_id, id, title, movie, image_url, status, creator_id, creator_username,
        created_at, updated_at, status_changed_at, status_change_count) values ('w', ${id}, ${title}, ${facts},
        'https://example.org/a.jpg', 'WATCHED', 'u', 'ana', '2026', '2026', '2026', 1)`.execute(schema)
    }

    await migrate(theDatabase(), 'product', productMigrations)

    const { rows } = await sql`select folded_title, folded_people, folded_genres, year, runtime_minutes from card
      order by id`.execute(schema)
    expect(rows).toEqual([
      {
        folded_title: 'amelie',
        folded_people: 'jean pierre jeunet',
        folded_genres: '|comedy|',
        year: 2001,
        runtime_minutes: 122,
      },
      { folded_title: 'ran', folded_people: '', folded_genres: '', year: 0, runtime_minutes: 1_000_000 },
    ])
  })
})
