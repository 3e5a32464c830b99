import type { Migration } from '@marquee/platform/database/migrate'

/** The cards of one creator in the box of one watchlist, in the order they are shown. */
export const suggestions: Migration = {
  up: async () => undefined,
  indexes: [
    {
      name: 'card_suggestions',
      on: `card (watchlist_id, creator_id, status_changed_at desc, id desc) where status = 'SUGGESTED'`,
    },
  ],
}
