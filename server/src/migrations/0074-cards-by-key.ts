import type { Migration } from '@marquee/platform/database/migrate'

const TITLE = 'coalesce(title_key, lower(title))'

/**
 * A partial index of the titles in place of a whole one. It has the same cards. PostgreSQL knows nothing of a watchlist that
 * came after the last count of the rows, and expects one card in it. So it found a card for its foreign keys by the index of
 * titles, through all cards of the watchlist. A partial index finds only what a statement asks for by its columns.
 */
export const cardsByKey: Migration = {
  up: async () => undefined,
  indexes: [{ name: 'card_title', on: `card (watchlist_id, (${TITLE})) where ${TITLE} is not null` }],
  removedIndexes: ['card_title_key'],
}
