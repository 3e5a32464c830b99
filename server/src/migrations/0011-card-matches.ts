import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * What finds the cards of a movie: its id at a service and its title without case, accents and punctuation. Cards from
 * earlier versions have neither and are found by their title in lower case.
 */
export const cardMatches: Migration = {
  changes: ['card'],
  up: async (db: AnyDb) => {
    const key = keyText(db)
    await db.schema.alterTable('card').addColumn('movie_key', key).execute()
    await db.schema.alterTable('card').addColumn('title_key', key).execute()
  },
  indexes: [
    { name: 'card_movie_key', on: 'card (watchlist_id, movie_key) where movie_key is not null' },
    { name: 'card_title_key', on: 'card (watchlist_id, (coalesce(title_key, lower(title))))' },
  ],
}
