import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * A join link with an `address` invites that mail address. `invitee_id` is the user with the address, if there is one, who
 * then has a received invitation with this `link_id`.
 */
export const mailInvitations: Migration = {
  changes: ['join_link', 'person_invitation'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await db.schema.alterTable('join_link').addColumn('address', id).execute()
    await db.schema.alterTable('join_link').addColumn('invitee_id', id).execute()
    await db.schema.alterTable('person_invitation').addColumn('link_id', id).execute()
  },
}
