import type { Migration } from '@marquee/platform/database/migrate'

/** What the statistics read: the watched movies, and the status changes of a period, without the tables themselves. */
export const statistics: Migration = {
  up: async () => undefined,
  indexes: [
    {
      name: 'card_watched',
      on: `card (watchlist_id, creator_username, status_changed_at, runtime_minutes) where status = 'WATCHED'`,
    },
    {
      name: 'status_change_time',
      on: 'status_change (watchlist_id, status, changed_at, card_id, seq) where seq > 0',
    },
  ],
}
