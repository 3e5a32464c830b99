import type { Movie } from '@marquee/contract/entities/movie'
import type { CardStatus } from '@marquee/contract/entities/card'
import type { AnyDb } from '@marquee/platform/database/database'

import { NO_POSTER } from '../images/service.ts'
import type { User } from '../profiles/service.ts'
import { changeBoxCount } from '../watchlists/service.ts'
import { deleteUntouched, insertCards, listKnown, listSlots } from './bulk-store.ts'
import { insertStatusChanges, moveSlot } from './status-store.ts'
import { type CardContent, contentColumns } from './store.ts'

/** A card that a member may know of. */
export type KnownCard = { id: string; title: string; movie: Movie | null; status: CardStatus }

const PAGE = 1_000

/** The cards of a watchlist that a user may know of: those of the feed, and their own in the box. With `ids`, only these. */
export async function* knownCards(
  db: AnyDb,
  { userId }: Pick<User, 'userId'>,
  watchlistId: string,
  ids?: readonly string[],
): AsyncGenerator<KnownCard> {
  let after = ''
  for (;;) {
    const rows = await listKnown(db, { watchlistId, userId }, { after, limit: PAGE, ids })
    for (const { movie, ...row } of rows) yield { ...row, movie: movie === null ? null : (JSON.parse(movie) as Movie) }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.id
  }
}

/**
 * Puts cards without a poster into the last slots of the box, in a transaction that holds the watchlist. The caller
 * publishes `box-changed` after the commit.
 */
export async function addToBox(
  trx: AnyDb,
  user: User,
  watchlistId: string,
  cards: readonly (Pick<CardContent, 'title' | 'movie'> & { id: string })[],
  at: string,
): Promise<void> {
  const boxCount = await changeBoxCount(trx, watchlistId, cards.length)
  const firstSlot = boxCount - cards.length
  await insertCards(
    trx,
    cards.map(({ id, title, movie }, index) => ({
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
      selection_index: firstSlot + index,
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
 * Deletes those of a user's cards that are in the box and unchanged since they were added, in a transaction that holds the
 * watchlist. The cards of the last slots move into the gaps. Gives the ids of the deleted cards.
 */
export async function removeFromBox(
  trx: AnyDb,
  { userId }: Pick<User, 'userId'>,
  watchlistId: string,
  ids: readonly string[],
): Promise<string[]> {
  const deleted = await deleteUntouched(trx, { watchlistId, userId }, ids)
  if (deleted.length === 0) return []
  const boxCount = await changeBoxCount(trx, watchlistId, -deleted.length)
  const gaps = deleted.map(({ slot }) => slot).filter((slot) => slot < boxCount)
  const behind = await listSlots(trx, watchlistId, boxCount)
  for (const [index, to] of gaps.entries()) await moveSlot(trx, { watchlistId, from: behind[index] ?? to, to })
  return deleted.map(({ id }) => id)
}
