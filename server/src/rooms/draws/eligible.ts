import type { DrawFilter, DrawRest } from '@marquee/contract/entities/draw'
import { MAX_CHECKABLE_CARDS } from '@marquee/contract/limits'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import { type BoxCard, type BoxFilter, countInBox, countPutBack, listInBox } from '../movies/cards/service.ts'
import { listSeenBy } from '../movies/viewings/service.ts'
import { listRevealTimes } from './store.ts'

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

/** What decides which cards take part, besides the box itself: the latest reveals, and what the people have seen. */
export type DrawPast = { readonly revealTimes: readonly string[]; readonly seenIds: readonly string[] | undefined }

export async function readPast(db: AnyDb, watchlistId: string, filter: DrawFilter | null): Promise<DrawPast> {
  const unseenBy = filter?.unseenBy
  const [reveals, seenIds] = await together(
    listRevealTimes(db, { watchlistId }),
    unseenBy ? listSeenBy(db, watchlistId, unseenBy) : Promise.resolve(undefined),
  )
  return { revealTimes: reveals.map(({ revealed_at }) => revealed_at ?? ''), seenIds }
}

/** Cards that were put back at this time or later rest. */
export function restsSinceOf(rest: DrawRest, past: DrawPast): string | undefined {
  // Fewer draws than a card rests for: every card that was put back still rests.
  return rest === 0 ? undefined : (past.revealTimes[rest - 1] ?? '')
}

/**
 * The cards of the box that take part in a draw. If all others rest, none does. Without a filter, the cost does not grow
 * with a box that is too large for a table.
 */
export async function findEligible(
  db: AnyDb,
  box: Box,
  { filter, rest, past }: { filter: DrawFilter | null; rest: DrawRest; past: DrawPast },
): Promise<Eligible> {
  const { watchlistId, boxCount } = box
  const restsSince = restsSinceOf(rest, past)
  const { unseenBy: _unseenBy, ...facts } = filter ?? {}
  const all: BoxFilter = { ...facts, exceptIds: past.seenIds, restsSince }
  const list = async () => await listInBox(db, watchlistId, all, MAX_CHECKABLE_CARDS + 1)
  const mayBeTooLarge = filter === null && boxCount > MAX_CHECKABLE_CARDS
  const [resting, listed] = await together(
    restsSince === undefined ? Promise.resolve(0) : countPutBack(db, watchlistId, restsSince),
    mayBeTooLarge ? Promise.resolve(undefined) : list(),
  )
  const counted = { filter: all, resting, putBack: resting }
  if (mayBeTooLarge && boxCount - resting > MAX_CHECKABLE_CARDS) {
    return { ...counted, cards: undefined, count: boxCount - resting }
  }
  const cards = listed ?? (await list())
  if (cards.length === 0 && resting > 0) {
    return { ...(await findEligible(db, box, { filter, rest: 0, past })), putBack: resting }
  }
  if (cards.length <= MAX_CHECKABLE_CARDS) return { ...counted, cards, count: cards.length }
  return { ...counted, cards: undefined, count: await countInBox(db, watchlistId, all) }
}
