import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import type { DueTable } from '@marquee/platform/queue/store'

export type BoxOfferTables = {
  /** `services` is a JSON array of ids. */
  box_offer: {
    watchlist_id: string
    card_id: string
    country: string
    tmdb_id: string
    services: string
    asked_at: string
  }
  /** A watchlist with a country, whose box is looked through from `next_slot` on. */
  box_reading: { watchlist_id: string; next_slot: number; due_at: number }
}

/** The columns of other stores that are read here. */
type Referring = {
  watchlist: { id: string; country: string | null; box_count: number; removal_due_at: number | null }
  card: { watchlist_id: string; id: string; status: string }
}

export type BoxOfferRow = BoxOfferTables['box_offer']
export type BoxReadingRow = BoxOfferTables['box_reading']

const tables = withTables<BoxOfferTables & Referring>

/** Boxes that wait for their next reading. */
export const WAITING_BOXES: DueTable<BoxReadingRow> = { name: 'box_reading', key: ['watchlist_id'], lane: 1 }

export async function listBoxOffers(db: AnyDb, watchlistId: string): Promise<BoxOfferRow[]> {
  return await tables(db).selectFrom('box_offer').selectAll().where('watchlist_id', '=', watchlistId).execute()
}

/** Adds the boxes of watchlists with a country that have no reading yet, at most `limit`; returns their number. */
export async function addBoxes(db: AnyDb, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const added = await tables(db)
    .insertInto('box_reading')
    .columns(['watchlist_id', 'next_slot', 'due_at'])
    .expression((eb) =>
      eb
        .selectFrom('watchlist')
        .select(['watchlist.id', sql.lit(0).as('next_slot'), sql.lit(now.getTime()).as('due_at')])
        // Literal, not bound: the index is partial.
        .where(sql<boolean>`country is not null`)
        .where('removal_due_at', 'is', null)
        .where(sql<boolean>`not exists (select 1 from box_reading as r where r.watchlist_id = watchlist.id)`)
        .orderBy('watchlist.id')
        .limit(limit),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('watchlist_id')
    .execute()
  return added.length
}

/** The country and the size of the box, if the watchlist has a country. */
export async function findBox(
  db: AnyDb,
  watchlistId: string,
): Promise<{ country: string; boxCount: number } | undefined> {
  const row = await tables(db)
    .selectFrom('watchlist')
    .select(['country', 'box_count as boxCount'])
    .where('id', '=', watchlistId)
    .where('removal_due_at', 'is', null)
    .executeTakeFirst()
  const { country = null, boxCount = 0 } = row ?? {}
  return country === null ? undefined : { country, boxCount }
}

/** Saves an answer, unless its card has left the box meanwhile. */
export async function saveBoxOffer(trx: AnyDb, row: BoxOfferRow): Promise<void> {
  const { watchlist_id: watchlistId, card_id: cardId, ...answer } = row
  await tables(trx)
    .insertInto('box_offer')
    .columns(['watchlist_id', 'card_id', 'country', 'tmdb_id', 'services', 'asked_at'])
    .expression((eb) =>
      eb
        .selectFrom('card')
        .select([
          'watchlist_id',
          'id',
          sql<string>`${answer.country}`.as('country'),
          sql<string>`${answer.tmdb_id}`.as('tmdb_id'),
          sql<string>`${answer.services}`.as('services'),
          sql<string>`${answer.asked_at}`.as('asked_at'),
        ])
        .where('watchlist_id', '=', watchlistId)
        .where('id', '=', cardId)
        .where('status', '=', 'SUGGESTED'),
    )
    .onConflict((conflict) => conflict.columns(['watchlist_id', 'card_id']).doUpdateSet(answer))
    .execute()
}

/** Removes the answers about cards that have left the box. */
export async function forgetGone(trx: AnyDb, watchlistId: string): Promise<void> {
  await tables(trx)
    .deleteFrom('box_offer')
    .where('watchlist_id', '=', watchlistId)
    .where(
      sql<boolean>`not exists (select 1 from card where card.watchlist_id = ${watchlistId} and card.id = box_offer.card_id
        and card.status = 'SUGGESTED')`,
    )
    .execute()
}

/** Removes all that is known about a box. */
export async function forgetBox(trx: AnyDb, watchlistId: string): Promise<void> {
  for (const table of ['box_offer', 'box_reading'] as const) {
    await tables(trx).deleteFrom(table).where('watchlist_id', '=', watchlistId).execute()
  }
}

export async function saveNextSlot(trx: AnyDb, watchlistId: string, slot: number): Promise<void> {
  await tables(trx)
    .updateTable('box_reading')
    .set({ next_slot: slot })
    .where('watchlist_id', '=', watchlistId)
    .execute()
}
