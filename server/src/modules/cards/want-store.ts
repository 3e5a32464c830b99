import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

import type { FeedPlace } from './cursor.ts'
import type { CardKey, CardTables } from './store.ts'

export type WantRow = CardTables['card_wants']

const tables = withTables<CardTables>

type Of = { watchlistId: string; userId: string }

/** A user who wants a card already keeps the row they have. */
export async function insertWants(db: AnyDb, wants: readonly WantRow[]): Promise<void> {
  if (wants.length === 0) return
  await tables(db)
    .insertInto('card_wants')
    .values([...wants])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const wantsOfCard = prepared<CardKey, WantRow>((db, value) =>
  tables(db)
    .selectFrom('card_wants')
    .selectAll()
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .orderBy('created_at')
    .orderBy('user_id'),
)

/** Who wants a card besides its creator, the first of them first. */
export async function findWants(db: AnyDb, card: CardKey): Promise<WantRow[]> {
  return await wantsOfCard(db, card)
}

/** Whether a user wants one of the cards of others. */
export async function wantsAny(db: AnyDb, { watchlistId, userId }: Of, cardIds: readonly string[]): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('card_wants')
    .select('id')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .where(isOneOf(db, sql.ref('card_id'), cardIds))
    .executeTakeFirst()
  return row !== undefined
}

/** What a user wants in the box besides their own cards, last wanted first; what follows `after`, if given. */
export async function listWantsOf(
  db: AnyDb,
  { watchlistId, userId }: Of,
  { after, limit }: { after: FeedPlace | undefined; limit: number },
): Promise<WantRow[]> {
  return await tables(db)
    .selectFrom('card_wants')
    .innerJoin('card', (join) =>
      join.onRef('card.watchlist_id', '=', 'card_wants.watchlist_id').onRef('card.id', '=', 'card_wants.card_id'),
    )
    .selectAll('card_wants')
    .where('card_wants.watchlist_id', '=', watchlistId)
    .where('card_wants.user_id', '=', userId)
    .where('card.status', '=', 'SUGGESTED')
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(card_wants.created_at, card_wants.id) < (${after?.statusChangedAt}, ${after?.id})`),
    )
    .orderBy('card_wants.created_at', 'desc')
    .orderBy('card_wants.id', 'desc')
    .limit(limit)
    .execute()
}

/** Removes a want of a user, if its card is in the box. */
export async function deleteWant(db: AnyDb, { watchlistId, userId }: Of, id: string): Promise<void> {
  await tables(db)
    .deleteFrom('card_wants')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('card')
          .select('card.id')
          .where('card.watchlist_id', '=', watchlistId)
          .whereRef('card.id', '=', 'card_wants.card_id')
          .where('card.status', '=', 'SUGGESTED'),
      ),
    )
    .execute()
}

/** All that a user wants in a watchlist, in the box and in the feed. */
export async function deleteWantsOf(db: AnyDb, watchlistId: string, userId: string): Promise<void> {
  await tables(db)
    .deleteFrom('card_wants')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .execute()
}
