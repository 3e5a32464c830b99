import type { DrawFilter, DrawRest } from '@marquee/contract/entities/draw'
import { MAX_CHECKABLE_CARDS } from '@marquee/contract/limits'
import type { AnyDb } from '@marquee/platform/database/database'

import { type BoxCard, type BoxFilter, countInBox, countPutBack, listInBox } from '../movies/cards/service.ts'
import { listSeenBy } from '../movies/viewings/service.ts'
import { findRevealTime } from './store.ts'

/**
 * The cards of a draw. `cards` is undefined if there are too many for a table. `resting` of the cards that were put back rest:
 * all of them, or none.
 */
export type Eligible = {
  filter: BoxFilter
  cards: readonly BoxCard[] | undefined
  count: number
  resting: number
  putBack: number
}

type Box = { watchlistId: string; boxCount: number }

/**
 * The cards of the box that take part in a draw. If all others rest, none does. Without a filter, the cost does not grow
 * with a box that is too large for a table.
 */
export async function findEligible(
  db: AnyDb,
  box: Box,
  { filter, rest }: { filter: DrawFilter | null; rest: DrawRest },
): Promise<Eligible> {
  const { watchlistId, boxCount } = box
  // Fewer draws than a card rests for: every card that was put back still rests.
  const restsSince = rest === 0 ? undefined : ((await findRevealTime(db, watchlistId, rest)) ?? '')
  const resting = restsSince === undefined ? 0 : await countPutBack(db, watchlistId, restsSince)
  const { unseenBy, ...facts } = filter ?? {}
  const exceptIds = unseenBy && (await listSeenBy(db, watchlistId, unseenBy))
  const all: BoxFilter = { ...facts, exceptIds, restsSince: resting === 0 ? undefined : restsSince }
  if (filter === null && boxCount - resting > MAX_CHECKABLE_CARDS) {
    return { filter: all, cards: undefined, count: boxCount - resting, resting, putBack: resting }
  }
  const cards = await listInBox(db, watchlistId, all, MAX_CHECKABLE_CARDS + 1)
  if (cards.length === 0 && resting > 0) {
    return { ...(await findEligible(db, box, { filter, rest: 0 })), putBack: resting }
  }
  const counted = { filter: all, resting, putBack: resting }
  if (cards.length <= MAX_CHECKABLE_CARDS) return { ...counted, cards, count: cards.length }
  return { ...counted, cards: undefined, count: await countInBox(db, watchlistId, all) }
}
