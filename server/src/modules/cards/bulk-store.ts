import { sql } from 'kysely'

import type { CardStatus } from '@marquee/contract/entities/card'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

import type { CardTables } from './store.ts'

const tables = withTables<CardTables>

type KnownRow = Pick<CardTables['card'], 'id' | 'title' | 'movie' | 'status'>
type Own = { watchlistId: string; userId: string }

const IN_BOX: CardStatus = 'SUGGESTED'

/** Cards that a user may know of, in the order of their ids: those of the feed, and their own in the box. */
export async function listKnown(
  db: AnyDb,
  { watchlistId, userId }: Own,
  { after, limit, ids }: { after: string; limit: number; ids: readonly string[] | undefined },
): Promise<KnownRow[]> {
  return await tables(db)
    .selectFrom('card')
    .select(['id', 'title', 'movie', 'status'])
    .where('watchlist_id', '=', watchlistId)
    .where('id', '>', after)
    .where((eb) => eb.or([eb('status', '<>', IN_BOX), eb('creator_id', '=', userId)]))
    .$if(ids !== undefined, (query) => query.where(isOneOf(db, sql.ref('id'), ids ?? [])))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function insertCards(db: AnyDb, cards: CardTables['card'][]): Promise<void> {
  await tables(db).insertInto('card').values(cards).execute()
}

/** Deletes those of the cards that are the user's, in the box, and unchanged since they were added. */
export async function deleteUntouched(
  db: AnyDb,
  { watchlistId, userId }: Own,
  ids: readonly string[],
): Promise<{ id: string; slot: number }[]> {
  const deleted = await tables(db)
    .deleteFrom('card')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('id'), ids))
    .where('creator_id', '=', userId)
    .where('status', '=', IN_BOX)
    .where('status_change_count', '=', 1)
    .whereRef('updated_at', '=', 'created_at')
    .returning(['id', 'selection_index as slot'])
    .execute()
  return deleted.flatMap(({ id, slot }) => (slot === null ? [] : [{ id, slot }]))
}

/** The taken slots of the box from `from` on. */
export async function listSlots(db: AnyDb, watchlistId: string, from: number): Promise<number[]> {
  const rows = await tables(db)
    .selectFrom('card')
    .select('selection_index as slot')
    .where('watchlist_id', '=', watchlistId)
    .where('selection_index', '>=', from)
    .execute()
  return rows.flatMap(({ slot }) => slot ?? [])
}
