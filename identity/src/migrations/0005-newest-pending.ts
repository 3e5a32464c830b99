import type { Migration } from 'kysely/migration'

/** An index for the newest sign-up with an address, which every sign-in with an address looks for. */
export const newestPending: Migration = {
  up: async (db) => {
    await db.schema
      .createIndex('identity_pending_email_newest')
      .on('identity_pending_email')
      .columns(['email_key', 'created_at desc'])
      .execute()
  },
}
