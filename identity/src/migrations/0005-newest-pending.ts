import type { Migration } from 'kysely/migration'

/** Every sign-in with an address looks for who gave it last at sign-up: found by index, not by sorting. */
export const newestPending: Migration = {
  up: async (db) => {
    await db.schema
      .createIndex('identity_pending_email_newest')
      .on('identity_pending_email')
      .columns(['email_key', 'created_at desc'])
      .execute()
  },
}
