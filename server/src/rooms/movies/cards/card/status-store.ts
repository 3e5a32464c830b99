import { sql } from 'kysely'

import type { CardStatus } from '@marquee/contract/entities/card'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { given, prepared } from '@marquee/platform/database/prepared'
import type { Sent } from '@marquee/platform/database/sent'

import { cardColumns, type CardKey, type CardRow, type CardTables, theCard } from './store.ts'

const tables = withTables<CardTables>

export const insertStatusChange = prepared<CardTables['status_change'], unknown>((db, value) =>
  tables(db)
    .insertInto('status_change')
    .values(given(['watchlist_id', 'card_id', 'seq', 'status', 'changed_by', 'changed_at'], value)),
)

export async function insertStatusChanges(db: AnyDb, changes: CardTables['status_change'][]): Promise<void> {
  await tables(db).insertInto('status_change').values(changes).execute()
}

/** Moves the card of one slot to another, which must be empty. */
export const moveSlot = prepared<{ watchlistId: string; from: number; to: number }, unknown>((db, value) =>
  tables(db)
    .updateTable('card')
    .set({ selection_index: value('to') })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('selection_index', '=', value('from')),
)

/** A status change: which card, to which status, by which user and when. */
type Change = { watchlistId: string; status: CardStatus; by: string; at: string }
type OfSlot = Change & { slot: number }
type OfCard = Change & CardKey & { from: CardStatus; changeCount: number; slot: number | null }

const slotHistory = prepared<OfSlot, unknown>((db, value) =>
  tables(db)
    .insertInto('status_change')
    .values((eb) => {
      const drawn = eb
        .selectFrom('card')
        .where('watchlist_id', '=', value('watchlistId'))
        .where('selection_index', '=', value('slot'))
      return {
        watchlist_id: value('watchlistId'),
        // Null, which the table rejects, if the slot is empty.
        card_id: drawn.select('id'),
        seq: drawn.select('status_change_count'),
        status: value('status'),
        changed_by: value('by'),
        changed_at: value('at'),
      }
    }),
)

const slotStatus = prepared<OfSlot, CardRow>((db, value) =>
  tables(db)
    .updateTable('card')
    .set((eb) => ({
      status: value('status'),
      selection_index: null,
      status_changed_at: value('at'),
      updated_at: value('at'),
      status_change_count: eb('status_change_count', '+', 1),
    }))
    .where('watchlist_id', '=', value('watchlistId'))
    .where('selection_index', '=', value('slot'))
    .returning(cardColumns(db)),
)

/** Takes the card in a slot out of the box, and moves the card of the last slot into the gap. Returns the card. */
export function takeFromSlot(db: AnyDb, change: OfSlot, lastSlot: number): Sent<CardRow> {
  const { watchlistId, slot } = change
  const history = slotHistory.send(db, change)
  const taken = slotStatus.send(db, change).with(history)
  return theCard(slot === lastSlot ? taken : taken.with(moveSlot.send(db, { watchlistId, from: lastSlot, to: slot })))
}

const cardStatus = prepared<OfCard, CardRow>((db, value) =>
  tables(db)
    .updateTable('card')
    .set((eb) => ({
      status: value('status'),
      selection_index: value('slot'),
      status_changed_at: value('at'),
      updated_at: value('at'),
      status_change_count: eb('status_change_count', '+', 1),
    }))
    .where('watchlist_id', '=', value('watchlistId'))
    .where('id', '=', value('cardId'))
    .where('status', '=', value('from'))
    .returning(cardColumns(db)),
)

/** Changes the status of a card from `from`; `slot` is its new slot in the box. Returns the card. */
export function changeStatus(db: AnyDb, change: OfCard): Sent<CardRow> {
  const { watchlistId, cardId, changeCount, status, by, at } = change
  const history = insertStatusChange.send(db, {
    watchlist_id: watchlistId,
    card_id: cardId,
    // The insert fails if another change came first.
    seq: changeCount,
    status,
    changed_by: by,
    changed_at: at,
  })
  return theCard(cardStatus.send(db, change).with(history))
}

type Boxed = { readonly id: string; readonly changeCount: number; readonly slot: number }

/**
 * Takes cards out of the box, in a transaction that holds the watchlist. The card of the last slot moves into each gap.
 * Returns the cards.
 */
export function takeCards(
  db: AnyDb,
  { watchlistId, boxCount, by, at }: Omit<Change, 'status'> & { boxCount: number },
  cards: readonly Boxed[],
): Sent<CardRow>[] {
  const slots = new Map(cards.map(({ id, slot }) => [slot, id]))
  const slotOf = new Map(cards.map(({ id, slot }) => [id, slot]))
  return cards.map(({ id: cardId, changeCount }, n) => {
    const [slot, lastSlot] = [slotOf.get(cardId) ?? -1, boxCount - 1 - n]
    const change = {
      watchlistId,
      cardId,
      from: 'SUGGESTED',
      status: 'REVEALED',
      changeCount,
      slot: null,
      by,
      at,
    } as const
    const taken = changeStatus(db, change)
    slots.delete(slot)
    if (slot === lastSlot) return taken
    const moved = slots.get(lastSlot)
    if (moved !== undefined) {
      slots.set(slot, moved)
      slotOf.set(moved, slot)
    }
    return taken.with(moveSlot.send(db, { watchlistId, from: lastSlot, to: slot }))
  })
}

export type StatusChangeRow = Pick<CardTables['status_change'], 'seq' | 'status' | 'changed_by' | 'changed_at'>

const lastChanges = prepared<CardKey, StatusChangeRow>((db, value) =>
  tables(db)
    .selectFrom('status_change')
    .select(['seq', 'status', 'changed_by', 'changed_at'])
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .orderBy('seq', 'desc')
    .limit(sql.lit(2)),
)

/** The last status change of a card and the one before it, if there was one; undefined if there is no such card. */
export async function findLastChanges(
  db: AnyDb,
  card: CardKey,
): Promise<{ authorId: undefined; last: StatusChangeRow; before: StatusChangeRow | undefined } | undefined> {
  const [last, before] = await lastChanges(db, card)
  return last && { authorId: undefined, last, before }
}

const removeChange = prepared<CardKey & { seq: number }, unknown>((db, value) =>
  tables(db)
    .deleteFrom('status_change')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('card_id', '=', value('cardId'))
    .where('seq', '=', value('seq')),
)

type Earlier = CardKey & { status: CardStatus; changed_at: string; seq: number; at: string }

const restoreStatus = prepared<Earlier, CardRow>((db, value) =>
  tables(db)
    .updateTable('card')
    .set({
      status: value('status'),
      status_changed_at: value('changed_at'),
      status_change_count: value('seq'),
      updated_at: value('at'),
    })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('id', '=', value('cardId'))
    .returning(cardColumns(db)),
)

/** Removes the last status change of a card of the feed, which returns to its state before. Returns the card. */
export function revertLastChange(
  db: AnyDb,
  card: CardKey,
  { last: { seq }, before, at }: { last: StatusChangeRow; before: StatusChangeRow; at: string },
): Sent<CardRow> {
  const removed = removeChange.send(db, { ...card, seq })
  const { status, changed_at } = before
  return theCard(restoreStatus.send(db, { ...card, status, changed_at, seq, at }).with(removed))
}
