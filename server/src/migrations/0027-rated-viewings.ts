import type { Migration } from '@marquee/platform/database/migrate'

/** The ratings of a member, in the order in which the library shows them: an import may bring thousands. */
export const ratedViewings: Migration = {
  up: async () => undefined,
  indexes: [
    {
      name: 'card_viewings_rated',
      on: 'card_viewings (watchlist_id, user_id, half_stars desc, card_id desc) where half_stars is not null',
    },
  ],
}
