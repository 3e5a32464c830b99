import { type Kysely, sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import type { Filled, Migration } from '@marquee/platform/database/migrate'

const BATCH = 500

/**
 * The words of title, original title and directors, by which a search of the library finds cards. Triggers keep them in
 * step, so that processes of the previous version do so too.
 */
export const cardWords: Migration = {
  changes: ['card'],
  up: async (db: AnyDb) => {
    const text = keyText(db)
    await clustered(db, db.schema.createTable('card_words'))
      .addColumn('watchlist_id', text, (column) => column.notNull())
      .addColumn('word', text, (column) => column.notNull())
      .addColumn('card_id', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('card_words_pk', ['watchlist_id', 'word', 'card_id'])
      .execute()
    const statements = dialectOf(db) === 'sqlite' ? SQLITE.triggers : POSTGRES_TRIGGERS
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
  backfill: async (connection, place) => {
    const db = withTables<unknown>(connection)
    if (dialectOf(db) === 'postgres') return await fillOnPostgres(db, place)
    // In one statement, because sorted rows are added several times as fast.
    await sql.raw(SQLITE.fill).execute(db)
    return { rows: 0, place: undefined }
  },
}

function sqliteStatements(): { fill: string; triggers: string[] } {
  // A folded text has words separated by spaces, and names by line breaks.
  const words = (row: string) =>
    `json_each('[' || replace(json_quote(replace(${row}.folded_title || ' ' || ${row}.folded_people, char(10), ' ')),
      ' ', '","') || ']')`
  const from = (row: string) => `select distinct ${row}.watchlist_id, value, ${row}.id from`
  const add = `insert into card_words ${from('new')} ${words('new')} where value <> ''`
  const remove = `delete from card_words
    where watchlist_id = old.watchlist_id and card_id = old.id and word in (select value from ${words('old')})`
  return {
    // Without `distinct`, which would keep all words a second time.
    fill: `insert or ignore into card_words
      select card.watchlist_id, value, card.id from card, ${words('card')} where value <> '' order by 1, 2, 3`,
    triggers: [
      `create trigger card_words_added after insert on card begin ${add}; end`,
      `create trigger card_words_changed after update of folded_title, folded_people on card
      begin ${remove}; ${add}; end`,
      `create trigger card_words_removed after delete on card begin ${remove}; end`,
    ],
  }
}

const SQLITE = sqliteStatements()

const postgresWords = (row: string) =>
  `select distinct ${row}.watchlist_id, word, ${row}.id
    from unnest(string_to_array(replace(${row}.folded_title || ' ' || ${row}.folded_people, chr(10), ' '), ' ')) as word
    where word <> ''`

/** Adds the words of all cards on PostgreSQL. */
export const FILL_ON_POSTGRES = `insert into card_words
  select words.* from card, lateral (${postgresWords('card')}) as words order by 1, 2, 3`

const POSTGRES_TRIGGERS = [
  `create function keep_card_words() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then
      delete from card_words using (${postgresWords('old')}) as gone
      where card_words.watchlist_id = old.watchlist_id and card_words.word = gone.word and card_words.card_id = old.id;
    end if;
    if tg_op <> 'DELETE' then
      insert into card_words ${postgresWords('new')};
    end if;
    return null;
  end $$`,
  `create trigger card_words_changed after insert or delete or update of folded_title, folded_people on card
    for each row execute function keep_card_words()`,
]

/** Locks the cards, so that a trigger that removes their words runs before or after this, and sees what it added. */
async function fillOnPostgres(db: Kysely<unknown>, place: string | undefined): Promise<Filled> {
  const [watchlistId, id] = place === undefined ? ['', ''] : (JSON.parse(place) as [string, string])
  const { rows } = await sql<{ watchlist_id: string; id: string }>`
    with batch as materialized (
      select watchlist_id, id, folded_title, folded_people from card
      where (watchlist_id, id) > (${watchlistId}, ${id}) order by watchlist_id, id limit ${BATCH} for no key update
    ), added as (
      insert into card_words select words.* from batch, lateral (${sql.raw(postgresWords('batch'))}) as words
      on conflict do nothing
    )
    select watchlist_id, id from batch order by watchlist_id, id`.execute(db)
  const last = rows.at(-1)
  if (last === undefined) return { rows: 0, place: undefined }
  return { rows: rows.length, place: JSON.stringify([last.watchlist_id, last.id]) }
}
