import type { Movie } from '@marquee/contract/entities/movie'
import type { AnyDb } from '@marquee/platform/database/database'

import { NO_POSTER } from '../images/service.ts'
import type { User } from '../profiles/service.ts'
import { insertCards } from './bulk-store.ts'
import { insertStatusChanges } from './status-store.ts'
import { type CardContent, type CardKey, contentColumns, deleteCardRow } from './store.ts'
import { findWants, insertWants } from './want-store.ts'

export type NewCard = Pick<CardContent, 'title' | 'movie'> & { id: string }

/** Inserts cards without a poster into empty slots of the box. */
export async function insertIntoSlots(
  trx: AnyDb,
  user: Pick<User, 'userId' | 'username'>,
  watchlistId: string,
  cards: readonly (NewCard & { slot: number })[],
  at: string,
): Promise<void> {
  await insertCards(
    trx,
    cards.map(({ id, title, movie, slot }) => ({
      watchlist_id: watchlistId,
      id,
      ...contentColumns({ title, description: null, movie }),
      image_url: null,
      image_hash: NO_POSTER,
      copy_hash: null,
      copy_failed: 0,
      status: 'SUGGESTED',
      creator_id: user.userId,
      creator_username: user.username,
      created_at: at,
      updated_at: at,
      status_changed_at: at,
      status_change_count: 1,
      selection_index: slot,
    })),
  )
  await insertStatusChanges(
    trx,
    cards.map(({ id }) => ({
      watchlist_id: watchlistId,
      card_id: id,
      seq: 0,
      status: 'SUGGESTED',
      changed_by: user.username,
      changed_at: at,
    })),
  )
}

/**
 * Replaces a card of the box by one of the member who wanted it first, with the id and the content of their want. Nothing of the
 * old card stays. The others want the new one. Runs in a transaction that holds the watchlist.
 */
export async function handOn(trx: AnyDb, { watchlistId, cardId, slot }: CardKey & { slot: number }): Promise<void> {
  const [heir, ...others] = await findWants(trx, { watchlistId, cardId })
  if (heir === undefined) throw new Error(`No other member wants ${cardId}`)
  const movie = heir.movie === null ? null : (JSON.parse(heir.movie) as Movie)
  await deleteCardRow(trx, { watchlistId, cardId })
  const creator = { userId: heir.user_id, username: heir.username }
  const { id, title, created_at: at } = heir
  await insertIntoSlots(trx, creator, watchlistId, [{ id, title, movie, slot }], at)
  await insertWants(
    trx,
    others.map((want) => ({ ...want, card_id: id })),
  )
}
