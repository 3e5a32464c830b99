import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

import type { AnyDb } from '@marquee/platform/database/database'

/** The cards of one creator in the box of one watchlist, in the order they are shown. */
export const suggestions: Migration = {
  up: async (db: AnyDb) => {
    await sql`create index card_suggestions on card (watchlist_id, creator_id, status_changed_at desc, id desc)
      where status = 'SUGGESTED'`.execute(db)
  },
}
