import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * What a seen mark was before an import rated it: which import, night or media server had brought it, and its day. All are null for
 * a mark that the import made.
 */
export const ratedMarks: Migration = {
  changes: ['card_viewings'],
  up: async (db: AnyDb) => {
    for (const name of ['prior_import_id', 'prior_night_id', 'prior_server_id', 'prior_seen_on'])
      await db.schema.alterTable('card_viewings').addColumn(name, keyText(db)).execute()
  },
}
