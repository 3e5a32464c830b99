import type { Migration } from '@marquee/platform/database/migrate'

/** An index for the newest sign-up with an address, which every sign-in with an address looks for. */
export const newestPending: Migration = {
  up: async () => undefined,
  indexes: [{ name: 'identity_pending_email_newest', on: 'identity_pending_email (email_key, created_at desc)' }],
}
