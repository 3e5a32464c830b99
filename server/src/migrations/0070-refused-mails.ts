import type { Migration } from 'kysely/migration'

import type { AnyDb } from '@marquee/platform/database/database'

/** When the mail server refused the mail of an invitation for good; null if it did not. */
export const refusedMails: Migration = {
  up: async (db: AnyDb) => {
    for (const table of ['invitation', 'join_link']) {
      await db.schema.alterTable(table).addColumn('mail_refused_at', 'text').execute()
    }
  },
}
