import type { WrittenContent } from '@marquee/contract/entities/card-content'
import type { AnyDb } from '@marquee/platform/database/database'

import { NO_POSTER } from '../../images/service.ts'
import type { User } from '../../../club/people/service.ts'
import { changeBoxCount } from '../../../club/watchlists/service.ts'
import { moveViewings } from '../../viewings/service.ts'
import { insertCards } from './bulk-store.ts'
import { insertStatusChanges, moveSlot } from './status-store.ts'
import { type CardKey, deleteCardRow, newCardColumns, readMovie } from './store.ts'
import { deleteWantsOfCard, findWants, insertWants, type WantRow } from './want-store.ts'

export type NewCard = Pick<WrittenContent, 'title' | 'movie'> & { id: string }

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
      ...newCardColumns({ watchlistId, cardId: id }, { title, description: null, movie }, user, at),
      image_url: null,
      image_hash: NO_POSTER,
      status: 'SUGGESTED',
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

/** No slot of the box: where a card is while the one that it replaces is still there. */
const NO_SLOT = -1

/**
 * Replaces a card of the box by one of the member who wanted it first. Nothing of the old card stays but who has seen the movie.
 * Runs in a transaction that holds the watchlist.
 */
export async function handOn(trx: AnyDb, { watchlistId, cardId, slot }: CardKey & { slot: number }): Promise<void> {
  const wants = await findWants(trx, { watchlistId, cardId })
  const heirId = await insertForWants(trx, watchlistId, wants, NO_SLOT)
  await moveViewings(trx, { watchlistId, from: cardId, to: heirId })
  await deleteCardRow(trx, { watchlistId, cardId })
  await moveSlot(trx, { watchlistId, from: NO_SLOT, to: slot })
}

/**
 * Puts a card of their own into the box for members who want what a card was before an edit. It gets the viewings of the movie:
 * all if the card has become another one, else those of these members. Runs in a transaction that holds the watchlist.
 */
export async function splitOff(
  trx: AnyDb,
  card: CardKey,
  { wants, isOther }: { readonly wants: readonly WantRow[]; readonly isOther: boolean },
): Promise<void> {
  await deleteWantsOfCard(
    trx,
    card,
    wants.map(({ id }) => id),
  )
  const boxCount = await changeBoxCount(trx, card.watchlistId, 1)
  const heirId = await insertForWants(trx, card.watchlistId, wants, boxCount - 1)
  const place = { watchlistId: card.watchlistId, from: card.cardId, to: heirId }
  const users = isOther ? undefined : wants.map(({ user_id: userId }) => userId)
  await moveViewings(trx, place, users)
}

/** A card with the id and the content of the first want, which the others want. Returns its id. */
async function insertForWants(
  trx: AnyDb,
  watchlistId: string,
  [heir, ...others]: readonly WantRow[],
  slot: number,
): Promise<string> {
  if (heir === undefined) throw new Error('A card for wants needs one')
  const { id, title, created_at: at } = heir
  const creator = { userId: heir.user_id, username: heir.username }
  await insertIntoSlots(trx, creator, watchlistId, [{ id, title, movie: readMovie(heir.movie), slot }], at)
  await insertWants(
    trx,
    others.map((want) => ({ ...want, card_id: id })),
  )
  return id
}
