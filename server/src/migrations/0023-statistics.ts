import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

import type { AnyDb } from '@marquee/platform/database/database'

/** What the statistics read: the watched movies, and the status changes of a period, without the tables themselves. */
export const statistics: Migration = {
  up: async (db: AnyDb) => {
    await sql`create index card_watched on card
      (watchlist_id, creator_username, status_changed_at, runtime_minutes) where status = 'WATCHED'`.execute(db)
    await sql`create index status_change_time on status_change
      (watchlist_id, status, changed_at, card_id, seq) where seq > 0`.execute(db)
  },
}
