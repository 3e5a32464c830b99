import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** When the mail server refused the mail of an invitation for good; null if it did not. */
export const refusedMails: Migration = {
  changes: ['invitation', 'join_link'],
  up: async (db: AnyDb) => {
    for (const table of ['invitation', 'join_link']) {
      await db.schema.alterTable(table).addColumn('mail_refused_at', 'text').execute()
    }
  },
}
