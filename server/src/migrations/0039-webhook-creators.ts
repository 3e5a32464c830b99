import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** Who created a webhook; null for earlier ones. */
export const webhookCreators: Migration = {
  changes: ['webhook'],
  up: async (db: AnyDb) => {
    await db.schema.alterTable('webhook').addColumn('creator_id', keyText(db)).execute()
  },
}
