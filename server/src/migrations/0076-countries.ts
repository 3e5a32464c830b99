import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** The country in which members watch, and the streaming services of a user as a JSON array of ids; null until chosen. */
export const countries: Migration = {
  changes: ['watchlist', 'person'],
  up: async (db: AnyDb) => {
    await db.schema.alterTable('watchlist').addColumn('country', 'text').execute()
    await db.schema.alterTable('person').addColumn('services', 'text').execute()
  },
}
