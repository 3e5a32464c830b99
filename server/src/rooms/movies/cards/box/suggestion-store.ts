import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'

import type { FeedPlace } from '../card/cursor.ts'
import { type CardRow, type CardTables, IS_IN_BOX, selectCards } from '../card/store.ts'

type Own = { watchlistId: string; creatorId: string }

const tables = withTables<CardTables>

/** The cards of one creator in the box, last put in first, ties by id; those right after `after`, if given. */
export async function findSuggestions(
  db: AnyDb,
  { watchlistId, creatorId }: Own,
  { after, limit }: { after: FeedPlace | undefined; limit: number },
): Promise<CardRow[]> {
  return await selectCards(db)
    .where('card.watchlist_id', '=', watchlistId)
    .where('card.creator_id', '=', creatorId)
    .where(IS_IN_BOX)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(card.status_changed_at, card.id) < (${after?.statusChangedAt}, ${after?.id})`),
    )
    .orderBy('card.status_changed_at', 'desc')
    .orderBy('card.id', 'desc')
    .limit(limit)
    .execute()
}

export async function countSuggestions(db: AnyDb, { watchlistId, creatorId }: Own): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('card')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('watchlist_id', '=', watchlistId)
    .where('creator_id', '=', creatorId)
    .where(IS_IN_BOX)
    .executeTakeFirstOrThrow()
  return count
}
