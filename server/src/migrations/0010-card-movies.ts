import type { Migration } from 'kysely/migration'

import type { AnyDb } from '@marquee/platform/database/database'

/** The facts of the movie on a card, as JSON in the shape of the contract. */
export const cardMovies: Migration = {
  up: async (db: AnyDb) => {
    await db.schema.alterTable('card').addColumn('movie', 'text').execute()
  },
}
