import { sql } from 'kysely'

import type { CardStatus } from '@marquee/contract/entities/card'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isInList, isOneOf, type TextList } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'

import type { CardTables, KeyRange } from './store.ts'

const tables = withTables<CardTables>

type KnownRow = Pick<CardTables['card'], 'id' | 'title' | 'movie' | 'status'>
type Own = { watchlistId: string; userId: string }

const IN_BOX: CardStatus = 'SUGGESTED'

/** Cards that a user may know of, in the order of their ids: those of the feed, and their own in the box. */
export async function listKnown(db: AnyDb, own: Own, { after, until }: KeyRange): Promise<KnownRow[]> {
  return await selectKnown(db, own).where('id', '>', after).where('id', '<=', until).execute()
}

export async function listKnownAmong(db: AnyDb, own: Own, ids: readonly string[]): Promise<KnownRow[]> {
  return await selectKnown(db, own)
    .where(isOneOf(db, sql.ref('id'), ids))
    .execute()
}

function selectKnown(db: AnyDb, { watchlistId, userId }: Own) {
  return tables(db)
    .selectFrom('card')
    .select(['id', 'title', 'movie', 'status'])
    .where('watchlist_id', '=', watchlistId)
    .where((eb) => eb.or([eb('status', '<>', IN_BOX), eb('creator_id', '=', userId)]))
    .orderBy('id')
}

export async function insertCards(db: AnyDb, cards: CardTables['card'][]): Promise<void> {
  await tables(db).insertInto('card').values(cards).execute()
}

/** Those of the cards that are revealed and not decided yet, in any order. */
export const listRevealed = prepared<{ watchlistId: string; cardIds: TextList }, { id: string; changeCount: number }>(
  (db, value) =>
    tables(db)
      .selectFrom('card')
      .select(['id', 'status_change_count as changeCount'])
      .where('watchlist_id', '=', value('watchlistId'))
      .where(isInList(db, sql.ref('id'), value('cardIds')))
      .where(sql<boolean>`status = 'REVEALED'`),
)

type Untouched = { id: string; slot: number; isWanted: boolean }

/** Those of the cards that are the user's, in the box, and unchanged since they were added; and whether others want them. */
export async function listUntouched(
  db: AnyDb,
  { watchlistId, userId }: Own,
  ids: readonly string[],
): Promise<Untouched[]> {
  const rows = await tables(db)
    .selectFrom('card')
    .select(['id', 'selection_index as slot'])
    .select((eb) =>
      eb
        .selectFrom('card_wants')
        .select('card_wants.card_id')
        .where('card_wants.watchlist_id', '=', watchlistId)
        .whereRef('card_wants.card_id', '=', 'card.id')
        .limit(1)
        .as('wanted'),
    )
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('id'), ids))
    .where('creator_id', '=', userId)
    .where('status', '=', IN_BOX)
    .where('status_change_count', '=', 1)
    .whereRef('updated_at', '=', 'created_at')
    .execute()
  return rows.flatMap(({ id, slot, wanted }) => (slot === null ? [] : [{ id, slot, isWanted: wanted !== null }]))
}

export async function deleteCards(db: AnyDb, watchlistId: string, ids: readonly string[]): Promise<void> {
  await tables(db)
    .deleteFrom('card')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('id'), ids))
    .execute()
}
