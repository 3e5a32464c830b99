import { sql } from 'kysely'

import { type AnyDb, dialectOf } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * From now on the index of words has only words of cards in the feed, so that a search takes as long for a word of a card in
 * the box as for any other. `0061-words-of-the-box.ts` removes the words that are there already. Until then the triggers
 * meet such words, so they ignore words that they find.
 */
export const wordsOfTheFeed: Migration = {
  changes: ['card'],
  up: async (db: AnyDb) => {
    const statements = dialectOf(db) === 'sqlite' ? sqliteStatements() : POSTGRES_STATEMENTS
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

function sqliteStatements(): string[] {
  const words = (row: string) =>
    `json_each('[' || replace(json_quote(replace(${row}.folded_title || ' ' || ${row}.folded_people, char(10), ' ')),
      ' ', '","') || ']')`
  const add = `insert into card_words select distinct new.watchlist_id, value, new.id from ${words('new')}
    where value <> '' and new.status <> 'SUGGESTED' on conflict do nothing`
  const remove = `delete from card_words
    where watchlist_id = old.watchlist_id and card_id = old.id and word in (select value from ${words('old')})`
  return [
    'drop trigger card_words_added',
    'drop trigger card_words_changed',
    `create trigger card_words_added after insert on card begin ${add}; end`,
    `create trigger card_words_changed after update of folded_title, folded_people, status on card
      when (old.status = 'SUGGESTED') <> (new.status = 'SUGGESTED')
        or old.folded_title <> new.folded_title or old.folded_people <> new.folded_people
      begin ${remove}; ${add}; end`,
  ]
}

const postgresWords = (row: string) =>
  `select distinct ${row}.watchlist_id, word, ${row}.id
    from unnest(string_to_array(replace(${row}.folded_title || ' ' || ${row}.folded_people, chr(10), ' '), ' ')) as word
    where word <> ''`

// A further trigger, because replacing the present one would also block readers.
const POSTGRES_STATEMENTS = [
  `create or replace function keep_card_words() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then
      delete from card_words using (${postgresWords('old')}) as gone
      where card_words.watchlist_id = old.watchlist_id and card_words.word = gone.word and card_words.card_id = old.id;
    end if;
    if tg_op <> 'DELETE' then
      if new.status <> 'SUGGESTED' then
        insert into card_words ${postgresWords('new')} on conflict do nothing;
      end if;
    end if;
    return null;
  end $$`,
  `create trigger card_words_moved after update of status on card
    for each row when ((old.status = 'SUGGESTED') <> (new.status = 'SUGGESTED')) execute function keep_card_words()`,
]
