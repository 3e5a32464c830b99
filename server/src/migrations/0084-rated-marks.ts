import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * What a seen mark was before an import rated it: which import, night or media server had brought it, and its day. Not in columns
 * of the mark: processes of the version before keep a statement that reads all of them.
 */
export const ratedMarks: Migration = {
  changes: ['card_viewings'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('rated_mark'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('card_id', id, (column) => column.notNull())
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('import_id', id)
      .addColumn('night_id', id)
      .addColumn('server_id', id)
      .addColumn('seen_on', id)
      .addPrimaryKeyConstraint('rated_mark_pk', ['watchlist_id', 'card_id', 'user_id'])
      .addForeignKeyConstraint(
        'rated_mark_of',
        ['watchlist_id', 'card_id', 'user_id'],
        'card_viewings',
        ['watchlist_id', 'card_id', 'user_id'],
        (key) => key.onDelete('cascade').onUpdate('cascade'),
      )
      .execute()
  },
}
