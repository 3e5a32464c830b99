import type { Migration } from 'kysely/migration'

import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'

/**
 * A join link with an `address` invites that mail address. `invitee_id` is the user with the address, if there is one, who
 * then has a received invitation with this `link_id`.
 */
export const mailInvitations: Migration = {
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await db.schema.alterTable('join_link').addColumn('address', id).execute()
    await db.schema.alterTable('join_link').addColumn('invitee_id', id).execute()
    await db.schema.alterTable('person_invitation').addColumn('link_id', id).execute()
  },
}
