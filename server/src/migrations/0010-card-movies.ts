import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** The facts of the movie on a card, as JSON in the shape of the contract. */
export const cardMovies: Migration = {
  changes: ['card'],
  up: async (db: AnyDb) => {
    await db.schema.alterTable('card').addColumn('movie', 'text').execute()
  },
}
