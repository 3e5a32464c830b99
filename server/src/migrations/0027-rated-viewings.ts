import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

import type { AnyDb } from '@marquee/platform/database/database'

/** The ratings of a member, in the order in which the library shows them: an import may bring thousands. */
export const ratedViewings: Migration = {
  up: async (db: AnyDb) => {
    await sql`create index card_viewings_rated on card_viewings (watchlist_id, user_id, half_stars desc, card_id desc)
      where half_stars is not null`.execute(db)
  },
}
