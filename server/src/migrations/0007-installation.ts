import { keyText } from '@marquee/platform/database/columns'
import type { Migration } from '@marquee/platform/database/migrate'

/** One row: the id of this installation, which its keys and its image store carry too. */
export const installation: Migration = {
  up: async (db) => {
    await db.schema
      .createTable('installation')
      .addColumn('slot', keyText(db), (column) => column.primaryKey())
      .addColumn('id', keyText(db), (column) => column.notNull())
      .execute()
  },
}
