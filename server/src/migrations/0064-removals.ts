import { bigInteger } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * A watchlist with `removal_due_at` is not there for any caller: it was deleted, or is not restored yet. From then on its
 * rows are removed in the background.
 */
export const removals: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    await db.schema.alterTable('watchlist').addColumn('removal_due_at', bigInteger(db)).execute()
  },
  indexes: [{ name: 'watchlist_removal_due', on: 'watchlist (removal_due_at) where removal_due_at is not null' }],
}
