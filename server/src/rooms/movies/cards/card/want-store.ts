import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

import type { FeedPlace } from './cursor.ts'
import type { CardKey, CardTables } from './store.ts'

export type WantRow = CardTables['card_wants']

const tables = withTables<CardTables>

const COLUMNS = ['watchlist_id', 'card_id', 'user_id', 'created_at', 'id', 'username', 'title', 'movie'] as const

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

/** Who wants a card besides its creator, the first of them first. */
export const findWants = prepared<CardKey, WantRow>((db, value) =>
  tables(db)
    .selectFrom('card_wants')
    .select(COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .orderBy('created_at')
    .orderBy('user_id'),
)

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

/** Looked up want by want: a join would read the whole box. */
const CARD_IS_IN_BOX = sql<boolean>`(select card.status from card where card.watchlist_id = card_wants.watchlist_id
  and card.id = card_wants.card_id) = 'SUGGESTED'`

/** What a user wants in the box besides their own cards. */
function wantsInBox(db: AnyDb, { watchlistId, userId }: Of) {
  return tables(db)
    .selectFrom('card_wants')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .where(CARD_IS_IN_BOX)
}

/** The last wanted first; what follows `after`, if given. */
export async function listWantsOf(
  db: AnyDb,
  of: Of,
  { after, limit }: { after: FeedPlace | undefined; limit: number },
): Promise<WantRow[]> {
  return await wantsInBox(db, of)
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.statusChangedAt}, ${after?.id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countWantsOf(db: AnyDb, of: Of): Promise<number> {
  const { count } = await wantsInBox(db, of)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Those of a user's wants with these ids, and whether their cards are in the box. */
export async function listWantsAmong(db: AnyDb, own: Of, ids: readonly string[]): Promise<OwnWant[]> {
  return ownWants(
    await selectOwn(db, own)
      .where(isOneOf(db, sql.ref('id'), ids))
      .execute(),
  )
}

/** The next wants of a user after one of them, oldest first. */
export async function listWantsAfter(
  db: AnyDb,
  own: Of,
  { after, limit }: { after: Pick<WantRow, 'id' | 'created_at'>; limit: number },
): Promise<OwnWant[]> {
  return ownWants(
    await selectOwn(db, own)
      .where(sql<boolean>`(created_at, id) > (${after.created_at}, ${after.id})`)
      .limit(limit)
      .execute(),
  )
}

type OwnWant = Pick<WantRow, 'id' | 'title' | 'movie' | 'created_at'> & { isInBox: boolean }

function ownWants(rows: readonly (Omit<OwnWant, 'isInBox'> & { in_box: number | null })[]): OwnWant[] {
  return rows.map(({ in_box: inBox, ...want }) => ({ ...want, isInBox: inBox !== null }))
}

function selectOwn(db: AnyDb, { watchlistId, userId }: Of) {
  return tables(db)
    .selectFrom('card_wants')
    .select(['id', 'title', 'movie', 'created_at'])
    .select(sql<number | null>`case when ${CARD_IS_IN_BOX} then 1 end`.as('in_box'))
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
}

/** Removes those of a user's wants whose cards are in the box. */
export async function deleteWantsIn(db: AnyDb, { watchlistId, userId }: Of, ids: readonly string[]): Promise<void> {
  await tables(db)
    .deleteFrom('card_wants')
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .where(isOneOf(db, sql.ref('id'), ids))
    .where(CARD_IS_IN_BOX)
    .execute()
}

/** Removes some of the wants of a card. */
export async function deleteWantsOfCard(
  db: AnyDb,
  { watchlistId, cardId }: CardKey,
  ids: readonly string[],
): Promise<void> {
  await tables(db)
    .deleteFrom('card_wants')
    .where('watchlist_id', '=', watchlistId)
    .where('card_id', '=', cardId)
    .where(isOneOf(db, sql.ref('id'), ids))
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
