import type { Movie } from '@marquee/contract/entities/movie'
import type { CardStatus } from '@marquee/contract/entities/card'
import type { AnyDb } from '@marquee/platform/database/database'

import type { User } from '../profiles/service.ts'
import { changeBoxCount } from '../watchlists/service.ts'
import { deleteCards, listKnown, listSlots, listUntouched } from './bulk-store.ts'
import { handOn, insertIntoSlots, type NewCard } from './slots.ts'
import { moveSlot } from './status-store.ts'

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
  cards: readonly NewCard[],
  at: string,
): Promise<void> {
  const boxCount = await changeBoxCount(trx, watchlistId, cards.length)
  const firstSlot = boxCount - cards.length
  const placed = cards.map((card, index) => ({ ...card, slot: firstSlot + index }))
  await insertIntoSlots(trx, user, watchlistId, placed, at)
}

/**
 * Deletes those of a user's cards that are in the box and unchanged since they were added, in a transaction that holds the
 * watchlist. The cards of the last slots move into the gaps. A card that another member wants becomes theirs. True if there were
 * such cards.
 */
export async function removeFromBox(
  trx: AnyDb,
  { userId }: Pick<User, 'userId'>,
  watchlistId: string,
  ids: readonly string[],
): Promise<boolean> {
  const untouched = await listUntouched(trx, { watchlistId, userId }, ids)
  const [wanted, unwanted] = [untouched.filter((card) => card.isWanted), untouched.filter((card) => !card.isWanted)]
  for (const { id, slot } of wanted) await handOn(trx, { watchlistId, cardId: id, slot })
  if (unwanted.length === 0) return wanted.length > 0
  await deleteCards(
    trx,
    watchlistId,
    unwanted.map(({ id }) => id),
  )
  const boxCount = await changeBoxCount(trx, watchlistId, -unwanted.length)
  const gaps = unwanted.map(({ slot }) => slot).filter((slot) => slot < boxCount)
  const behind = await listSlots(trx, watchlistId, boxCount)
  for (const [index, to] of gaps.entries()) await moveSlot(trx, { watchlistId, from: behind[index] ?? to, to })
  return true
}
