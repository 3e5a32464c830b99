import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { migrate, type Migrations } from '@marquee/platform/database/migrate'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './index.ts'

const before = (name: string): Migrations =>
  Object.fromEntries(Object.entries(productMigrations).filter(([each]) => each < name))

eachDatabase({}, (theDatabase) => {
  const run = async (text: string) => await sql.raw(text).execute(theDatabase().schema)
  let slots = 0
  const slotIn = (status: string) => (status === 'SUGGESTED' ? String((slots += 1)) : 'null')
  const add = async (id: string, title: string, status: string) =>
    await run(`insert into card (watchlist_id, id, title, folded_title, folded_people, image_url, status, selection_index,
      creator_id, creator_username, created_at, updated_at, status_changed_at, status_change_count)
      values ('w', '${id}', 'x', '${title}', 'ana lee\nben', 'https://example.org/a.jpg', '${status}', ${slotIn(status)},
      'u', 'ana', '2026', '2026', '2026', 1)`)
  const move = async (id: string, status: string) =>
    await run(`update card set status = '${status}', selection_index = ${slotIn(status)} where id = '${id}'`)
  const words = async () => {
    const { rows } = await sql<{ found: string }>`select card_id || ' ' || word as found from card_words
      where watchlist_id = 'w' order by card_id, word`.execute(theDatabase().schema)
    return rows.map(({ found }) => found)
  }
  const wordsOf = (id: string, ...titles: string[]) =>
    ['ana', 'ben', 'lee', ...titles].toSorted().map((word) => `${id} ${word}`)

  test('the word index keeps the words of cards in the feed and drops those of cards in the box', async () => {
    await migrate(theDatabase(), 'product', before('0060'))
    await run(`insert into watchlist (id, name, owner_id, owner_username, created_at, updated_at)
      values ('w', 'Films', 'u', 'ana', '2026', '2026')`)
    const boxed = ['b', 'deleted', 'edited', 'revealed', 'taken']
    for (const id of boxed) await add(id, 'heat heat', 'SUGGESTED')
    await add('f', 'ran', 'WATCHED')
    await add('back', 'ikiru', 'REVEALED')

    await migrate(theDatabase(), 'product', before('0061'))
    await add('new', 'vertigo', 'SUGGESTED')
    await move('revealed', 'REVEALED')
    await move('taken', 'REVEALED')
    await move('taken', 'SUGGESTED')
    await move('back', 'SUGGESTED')
    await move('f', 'REJECTED')
    await run(`delete from card where id = 'deleted'`)
    await run(`update card set folded_title = 'brazil' where id = 'edited'`)
    expect(await words()).toEqual([...wordsOf('b', 'heat'), ...wordsOf('f', 'ran'), ...wordsOf('revealed', 'heat')])

    await migrate(theDatabase(), 'product', productMigrations)
    expect(await words()).toEqual([...wordsOf('f', 'ran'), ...wordsOf('revealed', 'heat')])

    await move('new', 'REVEALED')
    await run(`update card set folded_title = 'playtime' where id = 'b'`)
    await run(`update card set folded_title = 'ran again' where id = 'f'`)
    await run(`delete from card where id = 'revealed'`)
    expect(await words()).toEqual([...wordsOf('f', 'again', 'ran'), ...wordsOf('new', 'vertigo')])
  })
})
