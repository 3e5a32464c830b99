import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** The language that a user chose. Without one, their browser decides. */
export const languages: Migration = {
  changes: ['person'],
  up: async (db: AnyDb) => {
    await db.schema.alterTable('person').addColumn('language', keyText(db)).execute()
  },
}
