import { type Kysely, sql } from 'kysely'

import { dialectOf, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import type { Migration } from '@marquee/platform/database/migrate'

const BATCH = 500

type Key = { watchlist_id: string; id: string }

/** Removes the words of cards in the box. Each batch is complete in itself, and running it again removes nothing more. */
export const wordsOfTheBox: Migration = {
  up: async () => undefined,
  backfill: async (connection, place) => {
    const db = withTables<unknown>(connection)
    const [watchlistId, id] = place === undefined ? ['', ''] : (JSON.parse(place) as [string, string])
    const { rows } = await sql<Key>`select watchlist_id, id from card
      where (watchlist_id, id) > (${watchlistId}, ${id}) and status = 'SUGGESTED'
      order by watchlist_id, id limit ${BATCH}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return { rows: 0, place: undefined }
    await removeWords(db, rows)
    return { rows: rows.length, place: JSON.stringify([last.watchlist_id, last.id]) }
  },
}

async function removeWords(db: Kysely<unknown>, cards: readonly Key[]): Promise<void> {
  const watchlists = isOneOf(db, sql.ref('watchlist_id'), [...new Set(cards.map((card) => card.watchlist_id))])
  const ids = isOneOf(
    db,
    sql.ref('id'),
    cards.map(({ id }) => id),
  )
  const inBox = sql`select * from card where status = 'SUGGESTED' and ${watchlists} and ${ids}`
  if (dialectOf(db) === 'sqlite') {
    await sql`delete from card_words where (watchlist_id, word, card_id) in (
      select card.watchlist_id, value, card.id from (${inBox}) as card,
        json_each('[' || replace(json_quote(replace(card.folded_title || ' ' || card.folded_people, char(10), ' ')),
          ' ', '","') || ']'))`.execute(db)
    return
  }
  // Requests change cards behind this lock. Otherwise a card that is revealed meanwhile would lose its words.
  const places = isOneOf(db, sql.ref('id'), [...new Set(cards.map((card) => card.watchlist_id))])
  await sql`select id from watchlist where ${places} order by id for no key update`.execute(db)
  await sql`delete from card_words using (
      select card.watchlist_id, word, card.id from (${inBox}) as card,
        unnest(string_to_array(replace(card.folded_title || ' ' || card.folded_people, chr(10), ' '), ' ')) as word
    ) as gone
    where card_words.watchlist_id = gone.watchlist_id and card_words.word = gone.word and card_words.card_id = gone.id
  `.execute(db)
}
