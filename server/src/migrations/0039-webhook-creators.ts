import type { Migration } from 'kysely/migration'

import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'

/** Who created a webhook; null for earlier ones. */
export const webhookCreators: Migration = {
  up: async (db: AnyDb) => {
    await db.schema.alterTable('webhook').addColumn('creator_id', keyText(db)).execute()
  },
}
