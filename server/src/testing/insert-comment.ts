import type { Card } from '@marquee/contract/entities/card'
import type { Database } from '@marquee/platform/database/database'
import { systemClock } from '@marquee/platform/runtime/clock'

type CommentTables = {
  comment: {
    watchlist_id: string
    card_id: string
    id: string
    author_id: string
    author_username: string
    content: string
    created_at: string
    updated_at: string
  }
}

/** Puts a comment straight into the database. */
export async function insertComment(
  database: Database<unknown>,
  { card, content, id }: { card: Card | undefined; content: string; id: string },
): Promise<void> {
  if (!card) throw new Error('There is no card to comment on')
  const at = systemClock.now().toISOString()
  await database.withTables<CommentTables>().transaction(async (trx) => {
    await trx
      .insertInto('comment')
      .values({
        watchlist_id: card.watchlistId,
        card_id: card.id,
        id,
        author_id: 'author',
        author_username: 'ben',
        content,
        created_at: at,
        updated_at: at,
      })
      .execute()
  })
}
