import { type AnyDb, dialectOf } from '@marquee/platform/database/database'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { type KeyRange, lastKeyAfter } from './store.ts'

/** This many cards are read in a few milliseconds. */
const CARDS_AT_ONCE = 100
/** PostgreSQL counts beside this process, so a range bounds only the rows that a statement returns. */
const COUNTED_AT_ONCE = { sqlite: CARDS_AT_ONCE, postgres: 1_000 }

/**
 * All cards of a watchlist in ranges of their keys, each in a turn of its own. All code that reads a whole watchlist uses
 * this: a range bounds the rows that a statement looks at, also where few of them are shown.
 */
export async function* keyRanges(db: AnyDb, watchlistId: string, limit = CARDS_AT_ONCE): AsyncGenerator<KeyRange> {
  let after = ''
  for (;;) {
    await nextTurn()
    const until = await lastKeyAfter(db, watchlistId, { after, limit })
    if (until === undefined) return
    yield { after, until }
    after = until
  }
}

/** The same for statements that return a few numbers of a card at most. */
export function countedRanges(db: AnyDb, watchlistId: string): AsyncGenerator<KeyRange> {
  return keyRanges(db, watchlistId, COUNTED_AT_ONCE[dialectOf(db)])
}
