import type { Migration } from 'kysely/migration'

import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'

/** The language that a user chose. Without one, their browser decides. */
export const languages: Migration = {
  up: async (db: AnyDb) => {
    await db.schema.alterTable('person').addColumn('language', keyText(db)).execute()
  },
}
