import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** Seen marks that come from a file. `import_id` is set until the member changes the mark, so that an undo finds it. */
export const importMarks: Migration = {
  changes: ['import_row', 'card_viewings'],
  up: async (db: AnyDb) => {
    await db.schema.alterTable('import_row').addColumn('seen_on', keyText(db)).execute()
    await db.schema.alterTable('import_row').addColumn('half_stars', 'integer').execute()
    await db.schema.alterTable('card_viewings').addColumn('import_id', keyText(db)).execute()
  },
}
