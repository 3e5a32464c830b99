import type { Card } from '@marquee/contract/entities/card'
import type { Database } from '@marquee/platform/database/database'
import { systemClock } from '@marquee/platform/runtime/clock'

import { insertComment as insertRow } from '../rooms/movies/comments/store.ts'

/** Inserts a comment directly into the database. */
export async function insertComment(
  database: Database<unknown>,
  { card, content, id }: { card: Card | undefined; content: string; id: string },
): Promise<void> {
  if (!card) throw new Error('There is no card to comment on')
  const at = systemClock.now().toISOString()
  const comment = { watchlist_id: card.watchlistId, card_id: card.id, id, content, created_at: at, updated_at: at }
  await database.transaction(async (trx) =>
    insertRow.send(trx, { ...comment, author_id: 'author', author_username: 'ben' }),
  )
}
